package io.nodeward.backend.official;

import io.nodeward.core.testkit.StartUpContract;
import java.util.List;

class StartUpTest extends StartUpContract {
    @Override
    protected String backend() {
        return "official";
    }

    @Override
    protected List<String> spared() {
        return List.of("client-java-27", "proto", "bcp", "gson", "swagger", "logging-interceptor", "commons-",
                "jose4j");
    }
}
