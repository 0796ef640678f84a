/** Propagates declared taints down to Machines where Cluster API does not. Decisions are in core/rules; this moves them. */
@NullMarked
package io.nodeward.controller.topology;

import org.jspecify.annotations.NullMarked;
