/** Serving over TLS: to API servers that ask before they store, with a certificate that may change while it runs. */
@NullMarked
package io.nodeward.core.runtime.https;

import org.jspecify.annotations.NullMarked;
