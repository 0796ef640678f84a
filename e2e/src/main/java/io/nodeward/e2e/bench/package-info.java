/** Nodeward beside the upstream manager and an ideal client: the same work, on the same servers, in one run. */
@NullMarked
package io.nodeward.e2e.bench;

import org.jspecify.annotations.NullMarked;
