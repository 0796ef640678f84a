/** The SPI over fabric8's HTTP client: its kubeconfig, TLS and credentials, none of its caches and retries. */
@NullMarked
package io.nodeward.backend.fabric8;

import org.jspecify.annotations.NullMarked;
