/** Reads what objects declare, as it stands in their JSON. */
@NullMarked
package io.nodeward.cli.declared;

import org.jspecify.annotations.NullMarked;
