package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A fresh server and a client for each test. A watch that says nothing ends at the time limit. */
@Timeout(60)
abstract class ServerTest {
    FakeApiServer server;
    Client client;

    Options options() {
        return Options.defaults();
    }

    @BeforeEach
    void start() {
        server = FakeApiServer.start(options());
        client = new Client(server);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    Client.Reply node(String name) {
        return created(client.post(Client.NODES, "{'metadata':{'name':'" + name + "'}}"));
    }

    Client.Reply node(String name, String label, String value) {
        return created(client.post(
                Client.NODES, "{'metadata':{'name':'" + name + "','labels':{'" + label + "':'" + value + "'}}}"));
    }

    Client.Reply machine(String name) {
        return created(client.post(Client.MACHINES, machineJson(name, "{'clusterName':'c'}")));
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
