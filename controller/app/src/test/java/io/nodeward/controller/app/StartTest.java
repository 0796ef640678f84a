package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Module;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

/** What is said when the controller cannot start: one line that names what is wrong and what there is instead. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StartTest {
    @TempDir
    Path directory;

    private record Ended(int code, String said) {}

    private static Ended run(String... args) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            int code = Main.run(args);
            return new Ended(code, bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(before);
        }
    }

    private static void assertSays(Ended ended, int code, String... parts) {
        assertThat(ended.said()).startsWith("nodeward: ").contains(parts).doesNotContain("\tat ");
        assertThat(ended.code()).isEqualTo(code);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path kubeconfig() throws IOException {
        return file("kubeconfig", """
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "--backnd=x | --backend",
            "--machine-concurency=3 | --machine-concurrency",
            "--feature-gate=x=true | --feature-gates"
    })
    void an_unknown_option_names_the_nearest(String option, String nearest) {
        assertSays(run(option), 2, "did you mean '" + nearest + "'?");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "--machine-concurrency=many | --machine-concurrency",
            "--additional-sync-machine-labels=[ | --additional-sync-machine-labels",
            "--dry-run=perhaps | --dry-run",
            "--feature-gates=MachineTaintPropagation | --feature-gates",
            "--feature-gates=MachineTaintPropagation=yes | true or false, not 'yes'",
            "--feature-gates=MachineTaintPropagatoin=true | did you mean 'MachineTaintPropagation'?",
            "--feature-gates=Whatever=true | unknown gate 'Whatever'",
            "--controllers=machnie | unknown controller 'machnie'; did you mean 'machine'?",
            "--controllers=*,admission | its feature gate is off; switch on --feature-gates=MachineTaintAdmission=true",
            "--log-level=loud | 'loud' is not error, warn, info or debug",
            "--log-format=xml | 'xml' is not text or json",
            "--blocked-after=30 | '30' is no duration like 90s, 1m30s or 2h",
            "--blocked-after=-1s | '-1s' is no duration",
            "--cluster-probe-period=1ms | '1ms' is no duration",
            "--cluster-probe-period=0.5s | --cluster-probe-period is below 1s",
            "--cluster-in-flight=0 | --cluster-in-flight is not between 1 and 90",
            "--cluster-in-flight=91 | --cluster-in-flight is not between 1 and 90",
            "--cluster-reads-per-second=-1 | --cluster-reads-per-second is below 0",
            "--cluster-largest-state=0 | --cluster-largest-state is below 1",
            "--cluster-servers=a,https://b | --cluster-servers: https://b is no host name",
            "--health-address=:many | --health-address: ':many' is not HOST:PORT",
            "--health-address=:70000 | --health-address: ':70000' is not HOST:PORT",
            "--metrics-address=no.such.host.invalid:1 | --metrics-address: 'no.such.host.invalid:1' is not HOST:PORT"
    })
    void a_value_that_cannot_be_used_is_named(String option, String said) throws Exception {
        assertSays(run("--kubeconfig=" + kubeconfig(), option), 2, said);
    }

    @Test
    void an_unknown_backend_lists_what_is_there() throws Exception {
        assertSays(
                run("--kubeconfig=" + kubeconfig(), "--backend=officail"), 2,
                "--backend officail: there is none of this name",
                "fabric8 (io.nodeward.backend.fabric8.Fabric8Backend)",
                "official (io.nodeward.backend.official.OfficialBackend)");
    }

    @Test
    void an_address_in_use_is_named_and_nothing_stays_behind() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Set<String> virtualBefore = virtualThreads(Set.of());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String free = "127.0.0.1:" + probe.getLocalPort();
            probe.close();
            assertSays(
                    run("--kubeconfig=" + kubeconfig(), "--health-address=" + free,
                            "--metrics-address=127.0.0.1:" + taken.getLocalPort()),
                    1, "cannot listen on", ":" + taken.getLocalPort(), "in use");
            try (ServerSocket again = new ServerSocket()) {
                again.bind(new InetSocketAddress("127.0.0.1", probe.getLocalPort()));
            }
        }
        for (Thread thread : startedSince(before, "nodeward-")) {
            assertThat(thread.join(Duration.ofSeconds(30))).as(thread.getName()).isTrue();
        }
        await("the listeners' end, which the JDK takes its time for").atMost(Duration.ofMinutes(2))
                .until(() -> startedSince(before, "HTTP-Dispatcher").isEmpty());
        await("the end of virtual threads").atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(virtualThreads(virtualBefore)).isEmpty());
    }

    @Command
    private static final class NoFlags {}

    @Test
    void a_controller_that_cannot_be_made_leaves_no_connection_and_no_thread_behind() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Set<String> virtualBefore = virtualThreads(Set.of());
        List<String> opened = new CopyOnWriteArrayList<>();
        Module module = new AbstractModule() {
            @ProvidesIntoSet
            @Singleton
            Controller unusable(ControllerContext context, ManagementCluster management) throws IOException {
                opened.addAll(virtualThreads(virtualBefore));
                throw new IllegalArgumentException("planted");
            }
        };
        String kubeconfig = "--kubeconfig=" + kubeconfig();
        assertThatThrownBy(() -> Nodeward.start(
                List.of(new OutOfTreeController(new NoFlags(), module)), kubeconfig, "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0")).isInstanceOf(IllegalArgumentException.class).hasMessage("planted");

        assertThat(opened).isNotEmpty();
        for (Thread thread : startedSince(before, "nodeward-")) {
            assertThat(thread.join(Duration.ofSeconds(30))).as(thread.getName()).isTrue();
        }
        await("the end of virtual threads").atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(virtualThreads(virtualBefore)).isEmpty());
    }

    private static final class Planted implements Controller {
        private final boolean startable;
        private final AtomicBoolean stopped = new AtomicBoolean();

        Planted(boolean startable) {
            this.startable = startable;
        }

        @Override
        public String name() {
            return "planted";
        }

        @Override
        public List<ObjectCache<?>> reads() {
            if (!startable) {
                throw new IllegalStateException("planted");
            }
            return List.of();
        }

        @Override
        public void start() {}

        @Override
        public void retire() {}

        @Override
        public boolean stop(Duration patience) {
            stopped.set(true);
            if (!startable) {
                throw new IllegalStateException("never started");
            }
            return true;
        }
    }

    @Test
    void a_controller_that_cannot_be_started_leaves_no_port_and_no_thread_behind() throws Exception {
        Set<String> virtualBefore = virtualThreads(Set.of());
        Planted first = new Planted(true);
        Planted unstartable = new Planted(false);
        Planted last = new Planted(true);
        Module module = binder -> {
            Multibinder<Controller> controllers = Multibinder.newSetBinder(binder, Controller.class);
            List.of(first, unstartable, last).forEach(planted -> controllers.addBinding().toInstance(planted));
        };
        try (ServerSocket health = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket metrics = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String[] arguments = {"--kubeconfig=" + kubeconfig(), "--health-address=127.0.0.1:" + health.getLocalPort(),
                    "--metrics-address=127.0.0.1:" + metrics.getLocalPort()};
            health.close();
            metrics.close();
            assertThatThrownBy(() -> Nodeward.start(List.of(new OutOfTreeController(new NoFlags(), module)), arguments))
                    .isInstanceOf(IllegalStateException.class).hasMessage("planted");

            for (int port : new int[]{health.getLocalPort(), metrics.getLocalPort()}) {
                try (ServerSocket again = new ServerSocket()) {
                    again.bind(new InetSocketAddress("127.0.0.1", port));
                }
            }
        }
        assertThat(List.of(first, unstartable, last)).allMatch(planted -> planted.stopped.get());
        await("the end of virtual threads").atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(virtualThreads(virtualBefore)).isEmpty());
    }

    /** Nodeward's besides {@code others}, by number and name; only a thread dump shows them. */
    private Set<String> virtualThreads(Set<String> others) throws IOException {
        Path dump = directory.resolve("threads.txt");
        Diagnostics.threads(dump.toAbsolutePath());
        try {
            Pattern ours = Pattern.compile("^#\\d+ \"nodeward-.*\" virtual", Pattern.MULTILINE);
            return ours.matcher(Files.readString(dump)).results().map(MatchResult::group)
                    .filter(thread -> !others.contains(thread)).collect(Collectors.toSet());
        } finally {
            Files.delete(dump);
        }
    }

    private static List<Thread> startedSince(Set<Thread> before, String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.getName().startsWith(prefix)).toList();
    }

    @Test
    void a_kubeconfig_that_is_not_there_or_no_kubeconfig_is_named() throws Exception {
        assertSays(run("--kubeconfig=/no/such/file"), 1, "/no/such/file does not exist", "--kubeconfig");
        assertSays(run("--kubeconfig=" + file("empty", "")), 2, directory.resolve("empty").toString());
        assertSays(run("--kubeconfig=" + file("broken", "a: [do-not-show-me")), 2,
                directory.resolve("broken").toString());
        assertThat(run("--kubeconfig=" + directory.resolve("broken")).said()).doesNotContain("do-not-show-me")
                .hasLineCount(1);
    }

    @Test
    void the_config_file_gives_defaults_by_long_name() throws Exception {
        Path config = file("config.yaml", """
                # a comment
                kubeconfig: /from/config
                feature-gates: {MachineTaintPropagation: false}
                additional-sync-machine-labels: ["a.*", "b"]
                machine-concurrency: 7
                watch-filter:
                controllers: ["*", -topology]
                """);
        ControllerCommand command = parsed("--config", config.toString(), "--kubeconfig=/from/line");

        assertThat(command.kubeconfig).isEqualTo(Path.of("/from/line"));
        assertThat(command.gates).isEqualTo(Map.of("MachineTaintPropagation", "false"));
        assertThat(command.watchFilter).isEmpty();
        assertThat(command.controllers).containsExactly("*", "-topology");
        assertThat(parsed("--config=" + config, "--controllers=machine,-x").controllers)
                .containsExactly("machine", "-x");
        assertThat(parsed().controllers).containsExactly("*");
        assertThat(parsed("--config=" + config).kubeconfig).isEqualTo(Path.of("/from/config"));
    }

    private static ControllerCommand parsed(String... args) throws IOException {
        var line = Main.commandLine(args);
        line.parseArgs(args);
        return line.getCommand();
    }

    @Test
    void what_is_wrong_in_the_config_file_is_said_with_its_place() throws Exception {
        assertSays(run("--config=" + file("a", "backnd: x")), 2, "unknown option 'backnd'", "did you mean 'backend'?");
        assertSays(run("--config", file("b", "backend: x\nkubeconfig: [a\n").toString()), 2, "line 3");
        assertSays(run("--config=" + file("c", "- a")), 2, "not a mapping");
        assertSays(run("--config=" + file("d", "machine-concurrency: many")), 2, "--machine-concurrency", "many");
        assertSays(run("--config=/no/such/file"), 2, "/no/such/file");
        assertSays(run("--config=" + file("e", "config: other")), 2, "unknown option 'config'");
    }

    @Test
    void the_kubeconfig_is_looked_for_in_the_order_the_help_says() throws Exception {
        Path given = file("given", "given");
        Path variable = file("variable", "variable");
        Path home = Files.createDirectories(directory.resolve("home/.kube"));
        Files.writeString(home.resolve("config"), "home");
        Map<String, String> all = Map.of(
                "KUBECONFIG", variable.toString(), "KUBERNETES_SERVICE_HOST", "h", "HOME",
                directory.resolve("home").toString());

        assertThat(Kubeconfigs.find(given, all, directory).text()).isEqualTo("given");
        assertThat(Kubeconfigs.find(null, all, directory).text()).isEqualTo("variable");
        assertThat(Kubeconfigs.find(null, Map.of("HOME", all.get("HOME")), directory).text()).isEqualTo("home");
    }
}
