/** Which devices there are, what taints them, and who uses them. */
@NullMarked
package io.nodeward.cli.device;

import org.jspecify.annotations.NullMarked;
