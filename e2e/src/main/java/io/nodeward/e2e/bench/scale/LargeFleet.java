package io.nodeward.e2e.bench.scale;

/** Clusters with Nodes and Machines in the state a controller leaves: nothing is to be written. */
interface LargeFleet extends AutoCloseable {
    /** Of the management cluster. */
    String kubeconfig();

    /** Workload clusters. */
    int clusters();

    /** In all of them. */
    int nodes();

    /** Of all of them; each has its Node. */
    int machines();

    @Override
    void close();
}
