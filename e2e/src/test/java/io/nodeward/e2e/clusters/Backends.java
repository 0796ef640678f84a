package io.nodeward.e2e.clusters;

import io.nodeward.core.spi.Backend;
import java.util.List;
import java.util.ServiceLoader;

/** Names of the backends to try: all there are. */
final class Backends {
    private Backends() {}

    static List<String> names() {
        return ServiceLoader.load(Backend.class).stream().map(backend -> backend.get().name()).sorted().toList();
    }
}
