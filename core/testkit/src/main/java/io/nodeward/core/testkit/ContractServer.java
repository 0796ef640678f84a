package io.nodeward.core.testkit;

import io.nodeward.core.spi.Resource;

/** A running API server, and what only its keeper can do to it. */
public interface ContractServer {
    /** YAML of one who may do everything. */
    String kubeconfig();

    /** Where this server no longer knows what happened. */
    Forgotten forgotten();

    /** Lets in somebody new, with a bearer token, who may read Nodes and nothing else. */
    Guest guest();

    /** Watches of the forgotten resource that are open now, as the server counts them. */
    int openWatches();

    /** A kind and a resourceVersion from which its changes can no longer be told. */
    record Forgotten(Resource resource, String resourceVersion) {}

    /** Somebody who can be thrown out. */
    interface Guest {
        /** YAML. */
        String kubeconfig();

        /** Makes the token worthless, for requests that begin within a minute at the latest. */
        void turnAway();
    }
}
