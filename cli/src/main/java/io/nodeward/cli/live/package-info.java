/** The live cluster of those commands that need one: found, reached and refused as kubectl does it. */
@NullMarked
package io.nodeward.cli.live;

import org.jspecify.annotations.NullMarked;
