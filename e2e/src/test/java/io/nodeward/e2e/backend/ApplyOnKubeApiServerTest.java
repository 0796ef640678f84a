package io.nodeward.e2e.backend;

import io.nodeward.core.fakeapi.ApplyTest;
import io.nodeward.core.fakeapi.Client;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** What FakeApiServer does, kube-apiserver does. */
@Tag("deep")
class ApplyOnKubeApiServerTest extends ApplyTest {
    @Override
    protected Optional<Client> other() {
        return RealServer.emptied();
    }
}
