package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Whoever may read the logs, at whatever level, must not become who they were written for. */
abstract class SecrecyTopic extends TransportTopic {
    private static final String TOKEN = "s3cr3t-t0k3n-0f-th3-c0ntract";
    private static final String PASSWORD = "s3cr3t-passw0rd-0f-th3-c0ntract";
    private static final String PAIR = Base64.getEncoder().encodeToString(bytes("u:" + PASSWORD));
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void the_log_is_heard_at_its_lowest_levels() {
        try (EveryLog log = new EveryLog()) {
            LoggerFactory.getLogger("contract.slf4j").trace("quiet {}", "word");
            java.util.logging.Logger.getLogger("contract.jul").finest("another");
            System.getLogger("contract.system").log(System.Logger.Level.TRACE, "third");
            assertThat(log.messages()).anyMatch(m -> m.contains("quiet word"))
                    .anyMatch(m -> m.contains("another"))
                    .anyMatch(m -> m.contains("third"));
        }
    }

    @Test
    void no_failure_logs_or_tells_a_credential() throws IOException {
        List<String> users = List.of("token: " + TOKEN, "username: u, password: " + PASSWORD,
                "client-certificate-data: %s, client-key-data: %s"
                        .formatted(TlsServer.base64("ec.crt"), TlsServer.base64("ec-sec1.key")));
        List<String> hidden = new ArrayList<>(List.of(TOKEN, PASSWORD, PAIR));
        hidden.addAll(lines(TlsServer.base64("ec-sec1.key")));
        hidden.addAll(lines(TlsServer.base64("ec-pkcs8.key"))); // the same key, as a backend may have rewritten it
        try (EveryLog log = new EveryLog()) {
            for (String user : users) {
                for (String server : misbehaving()) {
                    String text = everyVerb(api(Kubeconfigs.of(server, user)), ObjectKey.clusterScoped("a"));
                    assertHidden(log, text, hidden);
                }
            }
        }
    }

    private List<String> misbehaving() throws IOException {
        List<String> servers = new ArrayList<>();
        for (FaultyServer.Reply reply : List.of(Replying.nothing(), Replying.cut(200, "{"), Replying.with(200, "{}"),
                Replying.status(401, "Unauthorized", "Unauthorized"), Replying.with(503, "busy"))) {
            servers.add("http://127.0.0.1:" + faulty(reply).port());
        }
        servers.add("https://127.0.0.1:" + faulty(Replying.nothing()).port());
        servers.add("https://nobody.invalid:6443");
        servers.add("http://127.0.0.1:1");
        return servers;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
            "token: \"TOKEN\\u0001\"", "token: \"TOKEN\\nTOKEN\"", "token: TOKEN, username: u, password: TOKEN",
            "client-certificate-data: TOKEN, client-key-data: TOKEN", "username: u, password: [TOKEN",
            "tokenFile: {a: TOKEN}", "exec: {command: echo, args: [TOKEN]}"
    })
    void no_kubeconfig_that_cannot_be_used_is_logged(String user, @TempDir Path folder) {
        String text = Kubeconfigs.of("https://127.0.0.1:1", user.replace("TOKEN", TOKEN));
        try (EveryLog log = new EveryLog()) {
            for (Optional<Path> file : List.of(Optional.<Path>empty(), Optional.of(folder.resolve("kubeconfig")))) {
                Throwable failure = catchThrowable(
                        () -> transport(text, file).exchange(get("/version", Duration.ofSeconds(30))));
                assertThat(failure).isNotNull();
                assertHidden(log, trace(failure), List.of(TOKEN));
            }
        }
    }

    /** Whatever comes of it, in words. */
    static String everyVerb(ApiServer api, ObjectKey key) {
        StringBuilder text = new StringBuilder();
        for (Callable<?> call : List.<Callable<?>>of(
                () -> api.get(NODES, key),
                () -> api.patch(NODES, key, merge("{}")),
                () -> api.patchStatus(NODES, key, merge("{}")),
                () -> api.create(NODES, "", bytes("{}"), WRITER),
                () -> text(api.list(NODES, "", ListOptions.page("", 1, ""))),
                () -> api.watch(NODES, "", ListOptions.watchFrom("", "", LONG)).body().read(),
                () -> {
                    api.delete(SECRETS, new ObjectKey("default", "contract-nobody"));
                    return api;
                })) {
            try {
                call.call();
            } catch (Exception e) {
                text.append(trace(e));
            }
        }
        return text.append(api).toString();
    }

    static void assertHidden(EveryLog log, String text, List<String> credentials) {
        List<String> all = new ArrayList<>(log.messages());
        all.add(text);
        assertThat(all).allSatisfy(message -> assertThat(message).doesNotContain(credentials));
    }

    /** Of a key in PEM, itself in base64; without the first and the last. */
    static List<String> lines(String base64) {
        String pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
        return pem.lines().filter(line -> !line.contains("-----")).filter(line -> line.length() > 20).toList();
    }
}
