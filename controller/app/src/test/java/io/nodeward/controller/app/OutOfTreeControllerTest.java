package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.example.nodequota.NodeQuotaConfig;
import com.example.nodequota.NodeQuotaModule;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The example of a controller with a kind of its own, in the process of Nodeward. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OutOfTreeControllerTest {
    private static final String WEBHOOKS = "validatingwebhookconfigurations";
    private static final String QUOTAS = "nodequotas";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path directory;

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom("admissionregistration.k8s.io", List.of("v1"), WEBHOOKS,
                    "ValidatingWebhookConfiguration").clusterScoped().withStatus(false))
            .withKind(Kind.custom("examples.nodeward.io", List.of("v1alpha1"), QUOTAS, "NodeQuota").clusterScoped()
                    .withPlaces("status.conditions[type]")));

    @BeforeEach
    void populate() throws IOException {
        create("namespaces", "{'metadata':{'name':'nodeward-system'}}");
        create(QUOTAS, "{'metadata':{'name':'gpu'},'spec':{'label':'pool=gpu','nodes':1}}");
        create("nodes", "{'metadata':{'name':'n1','labels':{'pool':'gpu'}}}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void it_reports_on_its_kind_and_serves_its_webhook_beside_no_other_controller() throws IOException {
        try (Nodeward nodeward = start()) {
            await().atMost(PATIENCE).until(() -> is("True", "InEffect", 1));
            create("nodes", "{'metadata':{'name':'n2','labels':{'pool':'gpu'}}}");
            await().atMost(PATIENCE).until(() -> is("False", "QuotaExceeded", 1));
            server.mergePatch(QUOTAS, "", "gpu", json("{'spec':{'nodes':2}}"));
            await().atMost(PATIENCE).until(() -> is("True", "InEffect", 2));
            await().atMost(PATIENCE).until(() -> !server.list(WEBHOOKS).isEmpty());
            assertThat(nodeward.healthPort()).isPositive();
        }
        assertThat(server.requests()).filteredOn(r -> r.path().endsWith("/nodequotas/gpu/status")).hasSize(3);
        assertThat(server.requests()).noneMatch(request -> request.path().contains("cluster.x-k8s.io"));

        create("nodes", "{'metadata':{'name':'n3'}}");
        server.clearRequests();
        try (Nodeward again = start()) {
            create(QUOTAS, "{'metadata':{'name':'last'},'spec':{'label':'pool=x','nodes':1}}");
            await().atMost(PATIENCE).until(() -> ready("last").isPresent());
            assertThat(server.requests()).as("a restart").noneMatch(r -> r.path().endsWith("/nodequotas/gpu/status"));
        }
    }

    @Test
    void its_flags_are_among_the_others() throws IOException {
        String help = Main.commandLine(List.of(example(new NodeQuotaConfig())), new String[0]).getUsageMessage();
        assertThat(help).contains("--nodequota-webhook-address", "--watch-filter");
        assertThat(Main.commandLine(new String[0]).getUsageMessage()).doesNotContain("--nodequota");

        CommandLine command = Main.commandLine(List.of(example(new NodeQuotaConfig())), new String[0]);
        assertThatThrownBy(() -> command.parseArgs("--nodequota-webhook-service=http://h:1"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("'http://h:1' is neither NAMESPACE/NAME[:PORT] nor https://HOST:PORT");
    }

    private static final class RefusingConfig {
        @CommandLine.Option(names = "--refusing-host")
        String host = "x y";
    }

    /** Cannot use the value of its flag. */
    private static final class RefusingModule extends AbstractModule {
        private final RefusingConfig config;

        RefusingModule(RefusingConfig config) {
            this.config = config;
        }

        @ProvidesIntoSet
        @Singleton
        Controller controller(HomeCluster home) {
            throw new IllegalArgumentException("--refusing-host: '" + config.host + "' is no host");
        }
    }

    @Test
    void a_flag_that_one_of_several_refuses_is_not_blamed_on_the_kubeconfig() {
        RefusingConfig config = new RefusingConfig();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(new OutOfTreeController(config, new RefusingModule(config))))
                .withMessage("--refusing-host: 'x y' is no host");
    }

    private Nodeward start(OutOfTreeController... others) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
        int port = freePort();
        List<OutOfTreeController> all =
                Stream.concat(Stream.of(example(new NodeQuotaConfig())), Stream.of(others)).toList();
        return Nodeward.start(all, "--kubeconfig=" + kubeconfig,
                "--controllers=-machine", "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
                "--nodequota-webhook-address=127.0.0.1:" + port,
                "--nodequota-webhook-service=https://127.0.0.1:" + port);
    }

    private static OutOfTreeController example(NodeQuotaConfig config) {
        return new OutOfTreeController(config, new NodeQuotaModule(config));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private boolean is(String status, String reason, int generation) {
        return ready("gpu").filter(ready -> ready.path("status").asText().equals(status)
                && ready.path("reason").asText().equals(reason)
                && ready.path("observedGeneration").asInt() == generation).isPresent();
    }

    private Optional<JsonNode> ready(String name) {
        return server.get(QUOTAS, "", name).orElseThrow().at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready")).findFirst();
    }

    private void create(String resource, String object) throws IOException {
        server.create(resource, json(object));
    }

    private static JsonNode json(String text) throws IOException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }
}
