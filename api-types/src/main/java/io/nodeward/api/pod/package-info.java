/** Pods as partial views, and what they tolerate. */
@NullMarked
package io.nodeward.api.pod;

import org.jspecify.annotations.NullMarked;
