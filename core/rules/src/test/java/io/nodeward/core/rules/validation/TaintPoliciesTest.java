package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be said of the policies without a server; the suite "admission" runs them on one. */
class TaintPoliciesTest {
    private static final Path FILES = Path.of("..", "..", "deploy", "admission");
    private static final String SIGNS = "aZ09-._/:= \n\u00e4";

    @ParameterizedTest
    @EnumSource
    void the_files_to_apply_are_written_from_the_rules(TaintPolicies.Rules rules) throws IOException {
        Path file = FILES.resolve(rules.objectName() + ".yaml");
        String yaml = TaintPolicies.yaml(rules);
        if ("write".equals(System.getProperty("nodeward.policies"))) {
            Files.createDirectories(FILES);
            Files.writeString(file, yaml);
        }
        assertThat(file).as("run with -Dnodeward.policies=write").content().isEqualTo(yaml);
    }

    @Test
    void a_policy_has_every_place_of_every_kind() {
        String yaml = TaintPolicies.yaml(TaintPolicies.Rules.FAULTS);
        for (DeclaringKind kind : DeclaringKind.values()) {
            assertThat(yaml).contains("object.kind == '" + kind.kind() + "'").contains(kind.plural());
        }
        assertThat(yaml).contains("object.?spec.?taints", "variables.before.?spec.?taints",
                "object.?spec.?topology.?workers.?machinePools.orValue(dyn([])).filter(w,"
                        + " w.?taints.hasValue() && !(w in variables.before.?spec.?topology.?workers.?machinePools.orValue(dyn([]))))"
                        + ".map(w, [w.?taints",
                "o.class == w.class")
                .contains("validationActions: [Deny]", "failurePolicy: Ignore", "object.spec != oldObject.spec");
        assertThat(TaintPolicies.yaml(TaintPolicies.Rules.LIFECYCLE)).contains("validationActions: [Warn]");
    }

    @Test
    void the_patterns_say_the_same_as_the_rules_in_java() {
        Pattern key = Pattern.compile(TaintPatterns.KEY);
        Pattern value = Pattern.compile(TaintPatterns.VALUE);
        for (long seed = 0; seed < 10L * Cases.COUNT; seed++) {
            String text = text(Cases.random(seed));
            assertThat(key.matcher(text).matches()).as("key \"%s\"", text)
                    .isEqualTo(NodeAcceptance.isQualifiedName(text));
            assertThat(value.matcher(text).matches()).as("value \"%s\"", text)
                    .isEqualTo(NodeAcceptance.isLabelValue(text));
        }
        for (int length : List.of(62, 63, 64)) {
            String name = "n".repeat(length);
            assertThat(key.matcher(name).matches()).isEqualTo(length <= 63);
            assertThat(value.matcher(name).matches()).isEqualTo(length <= 63);
        }
    }

    @Test
    void the_pattern_of_annotations_says_the_same_as_their_reader() {
        Pattern pattern = Pattern.compile(TaintPatterns.ANNOTATION);
        for (long seed = 0; seed < 5L * Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            String text = text(random) + (random.nextBoolean() ? "=" + text(random) : "")
                    + one(random, ":", ":", "", "=")
                    + one(random, "NoSchedule", "NoExecute", "PreferNoSchedule", "", "No")
                    + one(random, "", "", ":OnInitialization", ":Always", ":", "\n");
            Optional<MachineTaint> taint = AnnotatedTaint.parse(text);
            boolean usable = taint.filter(t -> NodeAcceptance.violations("", t).isEmpty()).isPresent();
            assertThat(pattern.matcher(text).matches()).as("annotation \"%s\"", text).isEqualTo(usable);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(7); i > 0; i--) {
            // Mostly signs that are good somewhere.
            text.append(SIGNS.charAt(random.nextInt(random.nextInt(4) > 0 ? 7 : SIGNS.length())));
        }
        return text.toString();
    }

    private static String one(Random random, String... of) {
        return of[random.nextInt(of.length)];
    }
}
