package io.nodeward.core.testkit;

import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.Nested;

/**
 * What every backend does, on every server: all three contracts of the kit, nothing in them optional. Extend it, name a
 * backend and a server, and run it as a JUnit test. Promise: experimental.
 */
public abstract class BackendContract extends ServedContract {
    @Nested
    class OfTransport extends TransportContract {
        @Override
        protected Backend backend() {
            return BackendContract.this.backend();
        }
    }

    @Nested
    class OfConnection extends ConnectionContract {
        @Override
        protected Backend backend() {
            return BackendContract.this.backend();
        }

        @Override
        protected ContractServer server() {
            return BackendContract.this.server();
        }
    }

    @Nested
    class OfServer extends ServerContract {
        @Override
        protected Backend backend() {
            return BackendContract.this.backend();
        }

        @Override
        protected ContractServer server() {
            return BackendContract.this.server();
        }
    }
}
