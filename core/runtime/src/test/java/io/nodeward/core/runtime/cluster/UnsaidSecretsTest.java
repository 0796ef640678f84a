package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** No log line, at any level, and no Event shows a workload cluster's credentials. */
class UnsaidSecretsTest extends ClustersFixture {
    private static final String TOKEN = "do-not-show-me-";

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();
    private final Appender<ILoggingEvent> stderr = root.getAppender("stderr");
    private final Lines lines = new Lines();

    @BeforeEach
    void listen() {
        lines.start();
        root.detachAppender(stderr); // this is much
        root.addAppender(lines);
        root.setLevel(Level.TRACE);
    }

    @AfterEach
    void listenNoMore() {
        root.setLevel(level);
        root.detachAppender(lines);
        root.addAppender(stderr);
    }

    @Test
    void from_the_first_connection_to_the_last_no_line_and_no_event_shows_a_credential() {
        List<String> kubeconfigs =
                Stream.of("one", "two", "\\u0007").map(end -> workload.kubeconfigWithToken(TOKEN + end)).toList();
        createCluster("c");
        createSecret("c", kubeconfigs.get(0));
        startSynced();
        awaitConnected("c");
        changeSecret("c", kubeconfigs.get(1));
        awaitSaid("credentials renewed");
        workload.turnAway(TOKEN + "two");
        workload.dropWatches();
        until(() -> workloads.find(C).isEmpty());
        changeSecret("c", kubeconfigs.get(2));
        awaitSaid("disconnected");
        until(() -> events().stream().anyMatch(e -> e.toString().contains("KubeconfigRefused")));
        management.delete("clusters", "fleet", "c");

        assertThat(lines.list).anySatisfy(line -> assertThat(line).contains("connected"));
        List<String> unsaid =
                Stream.concat(Stream.of(TOKEN), kubeconfigs.stream().map(UnsaidSecretsTest::base64)).toList();
        assertThat(lines.list).allSatisfy(line -> assertThat(line).doesNotContain(unsaid));
        assertThat(events().toString()).doesNotContain(TOKEN);
        assertThat(management.list("clusters").toString()).doesNotContain(TOKEN);
    }

    private void awaitSaid(String what) {
        until(() -> lines.list.stream().anyMatch(line -> line.startsWith(what)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<String> list = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            list.add(line.getFormattedMessage() + " " + line.getKeyValuePairs() + line.getMDCPropertyMap()
                    + (line.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(line.getThrowableProxy())));
        }
    }
}
