/**
 * What a controller needs to be asked by API servers before they store, or to have them decide by themselves: a server with
 * its certificate, the registration of validating and mutating webhooks and of admission policies, and the deletion of
 * what is needed no more.
 */
@NullMarked
package io.nodeward.core.runtime.webhook;

import org.jspecify.annotations.NullMarked;
