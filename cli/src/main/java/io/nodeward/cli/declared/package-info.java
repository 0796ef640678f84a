/** Reads what objects declare, as it stands in their JSON, and where that belongs. */
@NullMarked
package io.nodeward.cli.declared;

import org.jspecify.annotations.NullMarked;
