package io.nodeward.core.testkit;

import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;

/** A contract that is run on a server under test. */
@DisplayNameGeneration(ReplaceUnderscores.class)
abstract class ServedContract {
    /** The backend under test, or one that is known to work when only the server is in question. */
    protected abstract Backend backend();

    /**
     * The server to test it on. It may hold other objects; the contract's own Nodes and Secrets have names that start
     * with {@code contract-}, and are deleted again.
     */
    protected abstract ContractServer server();
}
