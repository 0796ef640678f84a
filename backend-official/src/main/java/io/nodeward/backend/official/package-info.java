/** The SPI over the official Java client's HTTP layer. */
@NullMarked
package io.nodeward.backend.official;

import org.jspecify.annotations.NullMarked;
