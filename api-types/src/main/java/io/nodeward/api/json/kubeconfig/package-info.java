/** Kubeconfigs, an operator's own and those that somebody else wrote: what of them may be used, and all that they name. */
@NullMarked
package io.nodeward.api.json.kubeconfig;

import org.jspecify.annotations.NullMarked;
