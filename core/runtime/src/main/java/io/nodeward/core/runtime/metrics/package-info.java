/** Meters under the names controller-runtime uses. */
@NullMarked
package io.nodeward.core.runtime.metrics;

import org.jspecify.annotations.NullMarked;
