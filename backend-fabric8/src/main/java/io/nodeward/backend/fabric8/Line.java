package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.http.HttpClient;

/** One of fabric8's clients with its connections. */
interface Line {
    HttpClient client();

    /** How to give up on the request that the calling thread sent last. */
    Runnable givingUp();
}
