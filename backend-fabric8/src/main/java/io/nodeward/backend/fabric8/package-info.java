/** The SPI over fabric8's HTTP client: its connections and interceptors, none of its kubeconfigs, caches and retries. */
@NullMarked
package io.nodeward.backend.fabric8;

import org.jspecify.annotations.NullMarked;
