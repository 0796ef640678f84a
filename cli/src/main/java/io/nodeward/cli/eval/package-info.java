/** Rules tried on cases of the conformance vectors, so that a provider in any language can compare its own. */
@NullMarked
package io.nodeward.cli.eval;

import org.jspecify.annotations.NullMarked;
