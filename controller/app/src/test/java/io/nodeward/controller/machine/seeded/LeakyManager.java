package io.nodeward.controller.machine.seeded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import com.google.inject.Injector;
import dev.cel.runtime.CelRuntime;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.ApiClient;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;

/**
 * Public in a controller, badly named, with a client library, an injector, an evaluator, a request of its own, JSON, a generic exception and
 * a failure caught.
 */
public class LeakyManager {
    @Inject
    Injector injector;

    KubernetesClient client;

    ApiClient other;

    CelRuntime expressions;

    Request own;

    void tryOnce(Runnable write) {
        try {
            write.run();
        } catch (ApiFailure.Conflict e) {
            write.run();
        }
    }

    Object read(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (java.io.IOException e) {
            System.out.println(e);
            throw new RuntimeException(e);
        }
    }
}
