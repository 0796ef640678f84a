/** Scripts with which shells complete the commands. */
@NullMarked
package io.nodeward.cli.completion;

import org.jspecify.annotations.NullMarked;
