/** What an API server asks of a webhook, and what it is answered. */
@NullMarked
package io.nodeward.api.admission;

import org.jspecify.annotations.NullMarked;
