/**
 * What a backend implements: authenticated, streaming HTTP to one API server. Verbs, paths and the meaning of answers are
 * here once, so that every backend behaves the same.
 */
@NullMarked
package io.nodeward.core.spi;

import org.jspecify.annotations.NullMarked;
