/** Text for people at a terminal: never wider than it, and never a command to it. */
@NullMarked
package io.nodeward.cli.text;

import org.jspecify.annotations.NullMarked;
