package io.nodeward.core.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the code of Kubernetes answered, is answered here. */
class PublishedCasesTest {
    @TestFactory
    Stream<DynamicTest> a_case_has_the_result_that_kubernetes_gives() {
        return Cases.published().stream().map(c -> dynamicTest(
                c.get("id").textValue() + " " + c.get("celExpressions").get(0).textValue(), () -> check(c)));
    }

    @Test
    void the_cases_have_every_result() {
        assertThat(Cases.published()).hasSizeGreaterThan(700)
                .extracting(c -> c.at("/expect/result").textValue())
                .contains("match", "noMatch", "compileError", "runtimeError");
    }

    private static void check(JsonNode c) {
        DeviceFacts device = Cases.device(c.get("device"));
        DeviceSelectors selectors = DeviceSelectors.of(new SelectorFeatures(
                !c.path("consumableCapacityGateOff").asBoolean(), c.path("listTypeAttributesGate").asBoolean()));
        String result = "match";
        int ended = 0;
        for (int i = 0; i < c.get("celExpressions").size() && result.equals("match"); i++) {
            Compilation compilation = selectors.compile(c.get("celExpressions").get(i).textValue());
            result = switch (compilation) {
                case CompileError error -> "compileError";
                case Compiled(DeviceSelector selector) -> name(selector.select(selectors.variable(device)));
            };
            ended = i;
        }

        assertThat(result).isEqualTo(c.at("/expect/result").textValue());
        if (!result.equals("match")) {
            assertThat(ended).isEqualTo(c.at("/expect/expression").intValue());
        }
    }

    private static String name(DeviceMatch match) {
        return switch (match) {
            case DeviceMatch.Unknown unknown -> "runtimeError";
            case DeviceMatch.Known(boolean holds) -> holds ? "match" : "noMatch";
        };
    }
}
