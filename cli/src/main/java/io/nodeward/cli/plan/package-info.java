/** What an edit of declared taints would do to a fleet, from files. */
@NullMarked
package io.nodeward.cli.plan;

import org.jspecify.annotations.NullMarked;
