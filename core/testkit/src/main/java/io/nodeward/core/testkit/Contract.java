package io.nodeward.core.testkit;

import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;

/** A contract, in which its topics are nested. */
@DisplayNameGeneration(ReplaceUnderscores.class)
abstract class Contract {
    /** The backend under test, or one that is known to work when only the server is in question. */
    protected abstract Backend backend();
}
