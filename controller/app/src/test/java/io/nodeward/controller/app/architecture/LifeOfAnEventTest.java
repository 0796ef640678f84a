package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.nodeward.controller.app.Nodeward;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which classes take part between the cache's {@code put} of a changed Node and the {@code patch} of the SPI, as the JVM
 * records it, is what the architecture page lists.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LifeOfAnEventTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.nodeward.core.runtime", "io.nodeward.controller.machine", "io.nodeward.core.spi");
    private static final String CACHE = "io.nodeward.core.runtime.cache.ObjectCache";
    private static final String SERVER = "io.nodeward.core.spi.ApiServer";
    private static final String WATCHES = "io.nodeward.controller.machine.MachineWatches";
    /** A numbered item, and the first class that it names. */
    private static final Pattern ITEM = Pattern.compile("^\\d+\\. [^`]*`(\\w+)`", Pattern.MULTILINE);

    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");

    @TempDir
    Path directory;

    /** One call of a method. */
    private record Call(String type, String method, String thread, Instant start, Instant end) {
        boolean is(String otherType, String otherMethod) {
            return type.equals(otherType) && method.equals(otherMethod);
        }

        boolean spans(Call other) {
            return thread.equals(other.thread) && !other.start.isBefore(start) && !other.end.isAfter(end);
        }
    }

    @Test
    void the_page_lists_the_classes_between_the_cache_and_the_wire() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "architecture.md"));
        String life = page.substring(page.indexOf("## The life of an event"), page.indexOf("## Admission"));
        String others = life.substring(life.indexOf("Not counted are"), life.indexOf("\n\n1. "));
        Set<String> listed = names(ITEM, life);
        assertThat(listed).as("classes that take part").hasSizeLessThanOrEqualTo(13);

        listed.addAll(names(NAME, others));
        assertThat(between(recorded())).isEqualTo(listed);
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** By simple name, nested classes as the one around them. */
    private static Set<String> between(List<Call> calls) {
        Call mapped = calls.stream().filter(call -> call.is(WATCHES, "mapNode")).findFirst().orElseThrow();
        Call put = calls.stream().filter(call -> call.is(CACHE, "put") && call.spans(mapped)).findFirst().orElseThrow();
        Instant sent = calls.stream().filter(call -> call.is(SERVER, "patch")).map(Call::start).findFirst()
                .orElseThrow();
        return calls.stream()
                .filter(call -> put.spans(call) || call.thread().startsWith("nodeward-machine")
                        && !call.start().isBefore(put.start()) && call.start().isBefore(sent))
                .map(Call::type).filter(type -> !isValue(PRODUCT.get(type)))
                .map(type -> type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isValue(JavaClass type) {
        return type.isRecord() || type.isEnum();
    }

    private List<Call> recorded() throws Exception {
        try (FakeApiServer server = FakeApiServer.start(Options.defaults())) {
            populate(server);
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            try (Nodeward nodeward = Nodeward.start("--kubeconfig=" + kubeconfig, "--controllers=machine",
                    "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--cluster-servers=127.0.0.1");
                    Recording recording = tracing()) {
                awaitTainted(server);
                recording.start();
                server.mergePatch("nodes", "", "n", json("{'spec':{'taints':null}}"));
                awaitTainted(server);
                nodeward.close(); // waits for the end of the call that the server has answered: only then it is recorded
                recording.stop();
                Path file = directory.resolve("recording.jfr");
                recording.dump(file);
                return RecordingFile.readAllEvents(file).stream().map(LifeOfAnEventTest::call)
                        .sorted(Comparator.comparing(Call::start)).toList();
            }
        }
    }

    private static Recording tracing() {
        Recording recording = new Recording();
        recording.enable("jdk.MethodTrace").withoutStackTrace().withThreshold(Duration.ZERO).with("filter",
                PRODUCT.stream().filter(type -> !type.isInterface() && !type.isAnnotation()).map(JavaClass::getName)
                        .collect(Collectors.joining(";")));
        return recording;
    }

    private static Call call(RecordedEvent event) {
        RecordedMethod method = event.getValue("method");
        String thread = event.getThread() == null ? "" : event.getThread().getJavaName();
        return new Call(method.getType().getName(), method.getName(), thread, event.getStartTime(), event.getEndTime());
    }

    private static void awaitTainted(FakeApiServer server) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> server.get("nodes", "", "n").orElseThrow().at("/spec/taints").size() > 0);
    }

    private static void populate(FakeApiServer server) throws IOException {
        String value = Base64.getEncoder().encodeToString(server.kubeconfig().getBytes(StandardCharsets.UTF_8));
        Stream.of(
                "clusters.cluster.x-k8s.io {'metadata':{'name':'c','namespace':'default'},'spec':{}}",
                "secrets {'metadata':{'name':'c-kubeconfig','namespace':'default','labels':"
                        + "{'cluster.x-k8s.io/cluster-name':'c'}},'type':'cluster.x-k8s.io/secret','data':{'value':'"
                        + value + "'}}",
                "nodes {'metadata':{'name':'n'},'spec':{'providerID':'p'}}",
                "machines.cluster.x-k8s.io {'metadata':{'name':'m','namespace':'default'},'spec':{'clusterName':'c',"
                        + "'providerID':'p','taints':[{'key':'k','effect':'NoSchedule','propagation':'Always'}]}}")
                .forEach(object -> server.create(object.substring(0, object.indexOf(' ')),
                        json(object.substring(object.indexOf(' ') + 1))));
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
