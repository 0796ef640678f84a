package io.nodeward.backend.fabric8;

import io.nodeward.core.testkit.StartUpContract;
import java.util.List;

class StartUpTest extends StartUpContract {
    @Override
    protected String backend() {
        return "fabric8";
    }

    @Override
    protected List<String> spared() {
        return List.of("vertx", "netty", "okhttp", "kubernetes-client-7", "model-apps");
    }
}
