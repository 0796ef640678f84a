package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A fresh server and a client for each test. A watch that says nothing ends at the time limit. What needs nothing but HTTP
 * runs on kube-apiserver too, by classes of e2e that extend those here.
 */
public abstract class ServerTest {
    /** The least a Machine has. */
    static final String SPEC = "{'clusterName':'c','bootstrap':{'dataSecretName':'b'},"
            + "'infrastructureRef':{'apiGroup':'a.test','kind':'K','name':'n'}}";

    FakeApiServer server;
    Client client;

    /** A client of another server than ours, in which nothing is left of the test before. */
    protected Optional<Client> other() {
        return Optional.empty();
    }

    /** Where the two differ, a sentence says what each does. */
    boolean isOurs() {
        return server != null;
    }

    Options options() {
        return Options.defaults();
    }

    @BeforeEach
    void start() {
        client = other().orElseGet(() -> {
            server = FakeApiServer.start(options());
            return new Client(server);
        });
    }

    @AfterEach
    void stop() {
        client.close();
        if (isOurs()) {
            server.close();
        }
    }

    Client.Reply node(String name) {
        return created(client.post(Client.NODES, "{'metadata':{'name':'" + name + "'}}"));
    }

    Client.Reply node(String name, String label, String value) {
        return created(client.post(
                Client.NODES, "{'metadata':{'name':'" + name + "','labels':{'" + label + "':'" + value + "'}}}"));
    }

    Client.Reply machine(String name) {
        return created(client.post(Client.MACHINES, machineJson(name, SPEC)));
    }

    static String machineJson(String name, String spec) {
        return "{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':{'name':'" + name + "'},'spec':"
                + spec
                + "}";
    }

    static Client.Reply created(Client.Reply reply) {
        assertThat(reply.code()).as(reply.json().toString()).isEqualTo(201);
        return reply;
    }

    static String version(Client.Reply reply) {
        return reply.at("/metadata/resourceVersion");
    }
}
