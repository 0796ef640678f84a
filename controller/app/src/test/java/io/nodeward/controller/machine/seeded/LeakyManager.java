package io.nodeward.controller.machine.seeded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import com.google.inject.Injector;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.ApiClient;

/** Public in a room, badly named, with a client library, an injector, JSON and a generic exception. */
public class LeakyManager {
    @Inject
    Injector injector;

    KubernetesClient client;

    ApiClient other;

    Object read(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (java.io.IOException e) {
            System.out.println(e);
            throw new RuntimeException(e);
        }
    }
}
