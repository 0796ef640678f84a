package io.nodeward.e2e.backend;

import io.nodeward.core.fakeapi.Client;
import io.nodeward.core.fakeapi.ManagedFieldsTest;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** What FakeApiServer does, kube-apiserver does. */
@Tag("deep")
class ManagedFieldsOnKubeApiServerTest extends ManagedFieldsTest {
    @Override
    protected Optional<Client> other() {
        return RealServer.emptied();
    }
}
