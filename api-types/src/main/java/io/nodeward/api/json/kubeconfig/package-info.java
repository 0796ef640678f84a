/** Kubeconfigs that somebody else wrote: what of them may be used, and the keys and certificates in them. */
@NullMarked
package io.nodeward.api.json.kubeconfig;

import org.jspecify.annotations.NullMarked;
