package io.nodeward.core.rules.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Vectors;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.command.TaintRun.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of taint-command.json. */
class TaintCommandVectorsTest {
    @TestFactory
    Stream<DynamicTest> a_command_does_and_says_what_kubectl_does() {
        return Vectors.cases("taint-command.json").stream()
                .map(c -> dynamicTest(c.get("id").textValue(), () -> check(c, c.get("expect"))));
    }

    @Test
    void the_set_of_cases_is_whole() {
        assertThat(Vectors.cases("taint-command.json")).hasSize(35);
    }

    private static void check(JsonNode c, JsonNode expect) {
        List<Node> nodes = Vectors.elements(c.get("nodes")).stream().map(TaintCommandVectorsTest::node).toList();
        List<String> args = texts(c.get("args"));

        TaintRun run = run(args, nodes);

        assertThat(run.failure().isEmpty()).as("%s", run.failure()).isEqualTo(expect.get("ok").booleanValue());
        assertThat(run.failure().map(failure -> failure.reason().text()).orElse(null))
                .isEqualTo(expect.path("errorClass").textValue());
        assertThat(run.failure().map(TaintCommandVectorsTest::message).orElse(null))
                .isEqualTo(expect.path("message").textValue());
        assertThat(String.join("\n", run.printed())).isEqualTo(expect.get("stdout").textValue());
        assertThat(run.patched()).isEqualTo(texts(expect.get("patched")));
        assertThat(run.taints().keySet()).hasSameSizeAs(expect.get("taints").properties());
        expect.get("taints").properties().forEach(entry -> assertThat(shown(run.taints().get(entry.getKey())))
                .as(entry.getKey())
                .isEqualTo(Vectors.elements(entry.getValue())));
    }

    private static TaintRun run(List<String> args, List<Node> nodes) {
        try {
            TaintCommand command = TaintCommand.of(TaintArguments.parse(args), ResourceTypes.builtIn());
            return TaintRun.of(command, nodes);
        } catch (TaintRefusal refusal) {
            Map<String, List<Taint>> taints = new TreeMap<>();
            nodes.forEach(node -> taints.put(node.key().name(), node.taints()));
            return new TaintRun(
                    List.of(), List.of(), taints, Optional.of(new Failure(refusal.reason(), refusal.line())));
        }
    }

    /** The vectors were made below the part of kubectl that says "error: " before what is wrong with a flag. */
    private static String message(Failure failure) {
        return failure.reason() == Reason.UNUSABLE_FLAG
                ? failure.message().replaceFirst("^error: ", "flag: ")
                : failure.message();
    }

    private static Node node(JsonNode node) {
        Metadata metadata = new Metadata(new ObjectKey("", node.get("name").textValue()), "uid", "1",
                Vectors.texts(node.get("labels")), Map.of(), List.of(), false);
        return new Node(metadata, "", Vectors.elements(node.get("taints")).stream()
                .map(t -> new Taint(text(t, "key"), text(t, "value"), text(t, "effect"), t.toString()))
                .toList());
    }

    private static List<JsonNode> shown(List<Taint> taints) {
        return taints.stream().map(taint -> Vectors.parse(taint.json())).toList();
    }

    private static List<String> texts(JsonNode array) {
        return Vectors.elements(array).stream().map(JsonNode::textValue).toList();
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText("");
    }
}
