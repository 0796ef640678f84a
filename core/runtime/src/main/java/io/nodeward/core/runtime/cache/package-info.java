/** Projected objects of an API server, kept up to date by one reflector per kind. */
@NullMarked
package io.nodeward.core.runtime.cache;

import org.jspecify.annotations.NullMarked;
