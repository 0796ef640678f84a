package io.nodeward.controller.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;

/** Connects to {@link NamedHosts} with each backend, and prints what became of it. */
final class ResolvedHostsMain {
    /** Opens the address of {@code local.example.test}, and of no other name. */
    private static final AllowedServers LISTED =
            AllowedServers.of(List.of("*.example.test", "127.0.0.1", "10.0.0.1"));

    private final String backend;
    private final FakeApiServer server;
    private final ServerSocket counted;

    private ResolvedHostsMain(String backend, FakeApiServer server, ServerSocket counted) {
        this.backend = backend;
        this.server = server;
        this.counted = counted;
    }

    public static void main(String[] args) throws IOException {
        for (String backend : Backends.names()) {
            AtomicInteger accepted = new AtomicInteger();
            try (FakeApiServer server = FakeApiServer.start(Options.defaults());
                    ServerSocket counted = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.2"))) {
                Thread.ofVirtual().start(() -> count(counted, accepted));
                ResolvedHostsMain main = new ResolvedHostsMain(backend, server, counted);
                main.connect();
                main.control();
            }
            System.out.println(backend + " accepted: " + accepted);
        }
    }

    private static void count(ServerSocket counted, AtomicInteger accepted) {
        while (!counted.isClosed()) {
            try {
                counted.accept().close();
                accepted.incrementAndGet();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect() {
        String url = "://inside.example.test:" + counted.getLocalPort();
        say("own", own());
        say("http", refused("server: 'http" + url + "'"));
        say("https", refused("server: 'https" + url + "'"));
        say("both", refused("server: 'http" + url.replace("inside", "both") + "'"));
        say("metadata", refused("server: 'http" + url.replace("inside", "metadata") + "'"));
        say("proxy", refused("server: 'https://10.0.0.1', proxy-url: 'http" + url + "'"));
        say("proxied http", refused("server: 'http://10.0.0.1', proxy-url: 'http" + url + "'"));
        say("literal", refused("server: 'https://127.0.0.2:" + counted.getLocalPort() + "'"));
        say("number", refused("server: 'https://2130706434:" + counted.getLocalPort() + "'"));
        say("localhost", refused("server: 'https://localhost:" + counted.getLocalPort() + "'"));
        say("own", own());
        say("listed", secret(named(), LISTED, false));
        say("listed, streaming", secret(named(), LISTED, true));
        say("unlisted", secret(named(), AllowedServers.UNRESERVED, false));
        say("own", own());
        say("unknown", secret("server: 'http://unknown.example.test:1'", AllowedServers.UNRESERVED, false));
    }

    /** The controller, one of whose Clusters is at a name that leads to no allowed address. */
    private void control() throws IOException {
        server.create("nodes", json("{'metadata':{'name':'n'},'spec':{'providerID':'fake://n'}}"));
        cluster("good", "server: '" + server.url() + "'");
        cluster("bad", "server: 'http://inside.example.test:" + counted.getLocalPort() + "'");
        server.create("machines", json("{'metadata':{'namespace':'default','name':'m'},'spec':{'clusterName':'good',"
                + "'providerID':'fake://n','taints':[{'key':'example.com/a','effect':'NoSchedule',"
                + "'propagation':'Always'}]}}"));
        Path kubeconfig = Files.writeString(Files.createTempFile("kubeconfig", ""), server.kubeconfig());
        try (Nodeward running = Nodeward.start("--kubeconfig=" + kubeconfig, "--backend=" + backend,
                "--controllers=machine", "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
                "--pause-configmap=", "--blocked-after=1s", "--cluster-probe-period=1s", "--cluster-insecure-tls",
                "--cluster-servers=*.example.test,127.0.0.1")) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !condition("bad").isEmpty()
                    && server.get("nodes", "", "n").orElseThrow().at("/spec/taints").size() > 0);
            say("condition of bad", condition("bad"));
            say("condition of good", condition("good"));
        }
    }

    private String condition(String cluster) {
        return StreamSupport.stream(server.get("clusters", "default", cluster).orElseThrow()
                .at("/status/conditions").spliterator(), false)
                .map(found -> found.path("reason").asText() + ", " + found.path("message").asText())
                .collect(Collectors.joining());
    }

    private void cluster(String name, String cluster) throws IOException {
        server.create("clusters", json("{'metadata':{'namespace':'default','name':'" + name + "'},'spec':{}}"));
        ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'namespace':'default','name':'" + name
                + "-kubeconfig','labels':{'cluster.x-k8s.io/cluster-name':'" + name + "'}},'stringData':{}}");
        ((ObjectNode) secret.at("/stringData")).put("value", kubeconfig(cluster));
        server.create("secrets", secret);
    }

    /** JSON with single quotes. */
    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private void say(String what, String outcome) {
        System.out.println(backend + " " + what + ": " + outcome);
    }

    private String named() {
        return "server: '" + server.url().replace("127.0.0.1", "local.example.test") + "'";
    }

    /** With a kubeconfig of the user's own. */
    private String own() {
        return outcome(new ClusterAccess(kubeconfig(named()), Optional.of(Path.of("kubeconfig")), "test"), false);
    }

    private String refused(String cluster) {
        String outcome = secret(cluster, LISTED, false);
        String streaming = secret(cluster, LISTED, true);
        return outcome.equals(streaming) ? outcome : outcome + ", but streaming " + streaming;
    }

    private String secret(String cluster, AllowedServers servers, boolean streaming) {
        return outcome(new ClusterAccess(kubeconfig(cluster), Optional.empty(), "test", servers), streaming);
    }

    private String outcome(ClusterAccess access, boolean streaming) {
        Request request = new Request(
                "GET", "/version", Map.of(), Optional.empty(), Duration.ofSeconds(20), streaming);
        try (Transport transport = Backends.named(backend).connect(access);
                Response response = transport.exchange(request)) {
            return "answered " + response.status();
        } catch (ApiFailure failure) {
            return failure.status().message();
        } catch (IllegalArgumentException refused) {
            return refused.getMessage();
        }
    }

    private String kubeconfig(String cluster) {
        return """
                clusters: [{name: c, cluster: {%s}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(cluster);
    }
}
