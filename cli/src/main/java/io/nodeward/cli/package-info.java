/** The nodeward command: what a user asks for, in words. */
@NullMarked
package io.nodeward.cli;

import org.jspecify.annotations.NullMarked;
