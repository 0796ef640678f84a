/** Objects of a workload cluster and of those that declare taints for it, as they stand in files or on servers. */
@NullMarked
package io.nodeward.cli.snapshot;

import org.jspecify.annotations.NullMarked;
