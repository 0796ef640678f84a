/** Gives each Node the taints, labels and annotations its Machine declares. Decisions are in core/rules; this moves them. */
@NullMarked
package io.nodeward.controller.machine;

import org.jspecify.annotations.NullMarked;
