/** What a command may show, and to whom: colours and progress are for terminals alone. */
@NullMarked
package io.nodeward.cli.terminal;

import org.jspecify.annotations.NullMarked;
