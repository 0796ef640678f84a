/** What shells are told of the commands, so that they complete what is typed. */
@NullMarked
package io.nodeward.cli.completion;

import org.jspecify.annotations.NullMarked;
