package io.nodeward.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ClusterOptionsTest {
    private static final String TOKEN = "s3cr3t";

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private final FakeApiServer server = FakeApiServer.start(Options.defaults().withToken(TOKEN));

    @Command
    private static final class Probe {
        @Mixin
        final ClusterOptions cluster;

        Probe(ClusterOptions cluster) {
            this.cluster = cluster;
        }
    }

    @BeforeEach
    void home() throws IOException {
        environment.put("HOME", Files.createDirectory(folder.resolve("home")).toString());
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.putObject("metadata").put("name", "n1");
        server.create("nodes", node);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private LiveCluster connect(String... args) {
        ClusterOptions options =
                new ClusterOptions(environment, folder.resolve("serviceaccount"), OfficialBackend::new);
        new CommandLine(new Probe(options)).parseArgs(args);
        return options.connect();
    }

    private LiveFailure failure(String... args) {
        return catchThrowableOfType(LiveFailure.class, () -> {
            try (LiveCluster cluster = connect(args)) {
                cluster.get(LiveCluster.NODES, new ObjectKey("", "n1"));
            }
        });
    }

    private static void reaches(LiveCluster cluster) {
        try (cluster) {
            assertThat(cluster.get(LiveCluster.NODES, new ObjectKey("", "n1")).at("/metadata/name").asText())
                    .isEqualTo("n1");
        }
    }

    private Path write(String name, String cluster, String user, String context) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, """
                clusters: [{name: c, cluster: %s}]
                users: [{name: u, user: %s}]
                contexts: [{name: x, context: %s}]
                current-context: x
                """.formatted(cluster, user, context));
    }

    private Path good(String name) throws IOException {
        return write(name, "{server: '" + server.url() + "'}", "{token: " + TOKEN + "}", "{cluster: c, user: u}");
    }

    @Test
    void the_given_file_wins_over_the_variable_and_that_over_home() throws IOException {
        Path bad = folder.resolve("nothing-there");
        reaches(connect("--kubeconfig", good("given").toString()));
        good("home/.kube/config");
        reaches(connect());
        environment.put("KUBECONFIG", good("variable").toString());
        Files.writeString(folder.resolve("home/.kube/config"), "no kubeconfig");
        reaches(connect());
        environment.put("KUBECONFIG", bad.toString());
        reaches(connect("--kubeconfig", folder.resolve("given").toString()));
    }

    @Test
    void several_files_of_the_variable_are_one_and_missing_ones_do_not_count() throws IOException {
        Path servers = Files.writeString(folder.resolve("servers"),
                "clusters: [{name: c, cluster: {server: '" + server.url() + "'}}]\ncurrent-context: x\n");
        Path users = Files.writeString(Files.createDirectory(folder.resolve("pki")).resolve("users"), """
                users: [{name: u, user: {tokenFile: token}}]
                contexts: [{name: x, context: {cluster: c, user: u, namespace: team}}]
                current-context: nowhere
                """);
        Files.writeString(folder.resolve("pki/token"), TOKEN);
        environment.put("KUBECONFIG", folder.resolve("none") + ":" + servers + "::" + users);

        LiveCluster cluster = connect();

        assertThat(cluster.namespace()).isEqualTo("team");
        assertThat(cluster.route()).isEqualTo("context x");
        reaches(cluster);
    }

    @Test
    void the_namespace_is_the_given_one_else_that_of_the_context_else_default() throws IOException {
        good("home/.kube/config");
        assertThat(connect("-n", "mine").namespace()).isEqualTo("mine");
        assertThat(connect().namespace()).isEqualTo("default");
    }

    @Test
    void in_a_pod_without_any_kubeconfig_its_service_account_is_used() throws IOException {
        Path account = Files.createDirectory(folder.resolve("serviceaccount"));
        environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        environment.put("KUBERNETES_SERVICE_PORT", "1");
        Files.writeString(account.resolve("token"), TOKEN);
        Files.writeString(account.resolve("namespace"), "of-the-pod");

        assertThat(failure()).hasMessageStartingWith("error: context in-cluster cannot be used: ")
                .hasMessageContaining(account.resolve("ca.crt").toString()).hasMessageNotContaining(TOKEN);
        assertThat(FoundKubeconfig.find("", environment, account).podNamespace()).contains("of-the-pod");
        good("home/.kube/config");
        reaches(connect());
    }

    @Test
    void without_a_kubeconfig_it_says_what_was_looked_for() {
        assertThat(failure()).hasMessage(
                "error: no kubeconfig: " + folder.resolve("home/.kube/config") + " does not exist");
        assertThat(failure().advice()).contains("--kubeconfig", "$KUBECONFIG");
        environment.put("KUBECONFIG", "/a:/b");
        assertThat(failure()).hasMessage("error: no kubeconfig: /a, /b do not exist");
        assertThat(failure("--kubeconfig", "/c")).hasMessage("error: there is no kubeconfig /c");
    }

    @Test
    void an_unknown_context_is_answered_with_those_there_are() throws IOException {
        good("home/.kube/config");
        assertThat(failure("--context", "y"))
                .hasMessage("Error in configuration: context was not found for specified context: y");
        assertThat(failure("--context", "y").advice()).isEqualTo("There are: x.");
    }

    @Test
    void a_kubeconfig_without_contexts_is_told_as_that() throws IOException {
        String file = Files.writeString(folder.resolve("bare"), "clusters: []\n").toString();
        assertThat(failure("--kubeconfig", file, "--context", "y").advice())
                .isEqualTo("There is none in " + file + ".");
    }

    @Test
    void a_kubeconfig_that_cannot_be_read_is_told_with_why() throws IOException {
        String directory = folder.resolve("home").toString();
        assertThat(failure("--kubeconfig", directory))
                .hasMessage("error: the kubeconfig " + directory + " cannot be read");
        assertThat(failure("--kubeconfig", directory).advice()).isEqualTo("It is a directory; name a file in it.");
        String other = Files.write(folder.resolve("other"), new byte[]{(byte) 0xff}).toString();
        assertThat(failure("--kubeconfig", other).advice()).isEqualTo("It is no text in UTF-8.");
    }

    @Test
    void a_server_that_is_not_there_is_named() throws IOException {
        write("home/.kube/config", "{server: 'http://127.0.0.1:1'}", "{token: " + TOKEN + "}", "{cluster: c, user: u}");
        LiveFailure failure = failure();
        assertThat(failure)
                .hasMessage(
                        "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?");
        assertThat(failure.advice()).contains("context x").doesNotContain(TOKEN);
    }

    @Test
    void credentials_that_are_not_accepted_are_never_shown() throws IOException {
        write("home/.kube/config", "{server: '" + server.url() + "'}", "{token: wr0ng}", "{cluster: c, user: u}");
        LiveFailure failure = failure();
        assertThat(failure).hasMessage("error: You must be logged in to the server (Unauthorized)");
        assertThat(failure.advice()).contains("context x").doesNotContain("wr0ng");
    }

    @Test
    void who_may_not_is_told_by_the_server_and_where_to_look() throws IOException {
        server.admit("guest", request -> false);
        write("home/.kube/config", "{server: '" + server.url() + "'}", "{token: guest}", "{cluster: c, user: u}");
        LiveFailure failure = failure();
        assertThat(failure).hasMessageStartingWith("Error from server (Forbidden): ");
        assertThat(failure.advice()).contains("kubectl auth can-i --list");
    }
}
