package io.nodeward.core.testkit;

/** A contract that is run on a server under test. */
abstract class ServedContract extends Contract {
    /**
     * The server to test it on. It may hold other objects; the contract's own Nodes and Secrets have names that start
     * with {@code contract-}, and are deleted again.
     */
    protected abstract ContractServer server();
}
