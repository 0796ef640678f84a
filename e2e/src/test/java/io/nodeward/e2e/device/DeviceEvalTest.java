package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The expressions of the published cases, as a real API server compiles them and as we do. */
class DeviceEvalTest {
    private static final String CASES = "/io/nodeward/core/testkit/vectors/device.json";
    private static final String CLASSES = "/apis/resource.k8s.io/v1/deviceclasses?dryRun=All";
    /** The server estimates what an expression may cost, and refuses it at that; we stop it when it has cost as much. */
    private static final String TOO_COMPLEX = "too complex, exceeds cost limit";
    /** Kubernetes 1.36 refuses names in backticks, and so do we. */
    private static final String NEWER = "`";
    /** What Kubernetes lacks, or has by other names than other users of the language. */
    private static final List<String> MORE = List.of(
            "device.name == 'gpu-0'", "device.allowMultipleAllocations", "'abc'.reverse() == 'cba'",
            "math.greatest(1, 2) == 2", "base64.decode('aGk=') == b'hi'", "isIP('10.0.0.1')",
            "cidr('10.0.0.0/8').containsIP('10.1.1.1')", "url('https://example.com/').getHost() == 'example.com'",
            "semver('1.2.3').isLessThan(semver('1.3.0'))", "semver('v1.2', true).major() == 1",
            "device.capacity['x'].y.isGreaterThan(quantity('1Gi'))", "sign(quantity('1')) == 1",
            "cel.bind(a, device.attributes[device.driver], 'b' in a && a.b)", "device.attributes['x'].?y.orValue(true)",
            "['b', 'a'].sort() == ['a', 'b']", "[1, 'a'].size() == 2", "device.attributes['x'].y.includes('z')",
            "'%s'.format(['a']) == 'a'", "'1'", "1 + 1", "device.attributes['x'].y", "duration('x') == duration('1s')");

    @Test
    void an_api_server_refuses_what_does_not_compile_and_nothing_else() {
        DeviceSelectors selectors = DeviceSelectors.of(SelectorFeatures.DEFAULT);
        List<String> expressions = Stream.concat(published(), MORE.stream()).distinct()
                .filter(expression -> !expression.contains(NEWER)).toList();
        assertThat(expressions).hasSizeGreaterThan(60);
        AdminClient admin = ControlPlane.shared().admin();
        assertThat(expressions).allSatisfy(expression -> {
            AdminClient.Reply reply = admin.send("POST", CLASSES, AdminClient.JSON, deviceClass(expression).toString());
            String message = reply.body().path("message").asText();
            assertThat(reply.isOk() || message.contains(TOO_COMPLEX)).as(expression + "\n" + message)
                    .isEqualTo(selectors.compile(expression) instanceof Compilation.Compiled);
        });
    }

    /** Of the cases that need no gate. */
    private static Stream<String> published() {
        try (InputStream in = Objects.requireNonNull(DeviceEvalTest.class.getResourceAsStream(CASES))) {
            return Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)).path("cases").valueStream()
                    .filter(c -> c.path("kind").asText().equals("cel"))
                    .filter(c -> !c.path("listTypeAttributesGate").asBoolean())
                    .flatMap(c -> c.path("celExpressions").valueStream()).map(JsonNode::asText);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode deviceClass(String expression) {
        return Json.tree(Map.of("metadata", Map.of("name", "judged"),
                "spec", Map.of("selectors", List.of(Map.of("cel", Map.of("expression", expression))))));
    }
}
