package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
        String yaml = TaintPolicies.yaml(TaintPolicies.Rules.INVALID);
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

    @ParameterizedTest
    @EnumSource
    void the_spec_says_the_same_as_the_file(TaintPolicies.Rules rules) {
        Map<String, Object> spec = TaintPolicies.spec(rules, List.of(DeclaringKind.values()), "Ignore");

        assertThat(spec).containsOnlyKeys(
                "failurePolicy", "matchConstraints", "matchConditions", "variables", "validations")
                .containsEntry("failurePolicy", "Ignore");
        String yaml = TaintPolicies.yaml(rules);
        List<String> texts = texts(Stream.of("matchConditions", "variables", "validations").map(spec::get)).toList();
        assertThat(texts).hasSizeGreaterThan(12)
                .allSatisfy(text -> assertThat(yaml.replaceAll("\\s+", " ")).contains(text.replaceAll("\\s+", " ")));
        assertThat(texts).hasSize(yaml.split("\n *(- )?(name|expression|messageExpression|message|reason): ").length
                - 1 - 2); // the names of the policy and of its binding
    }

    @Test
    void a_rule_of_resources_names_a_group_once_and_its_kinds_in_order() {
        assertThat(TaintPolicies.resourceRules(List.of(DeclaringKind.MACHINE_SET, DeclaringKind.KUBEADM_CONTROL_PLANE,
                DeclaringKind.MACHINE))).containsExactly(
                        resources("cluster.x-k8s.io", "machines", "machinesets"),
                        resources("controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes"));
        assertThat(TaintPolicies.spec(TaintPolicies.Rules.GATE, List.of(DeclaringKind.MACHINE), "Fail"))
                .containsEntry("matchConstraints",
                        Map.of("resourceRules", List.of(resources("cluster.x-k8s.io", "machines"))));
    }

    @Test
    void a_webhook_is_asked_of_what_stays_and_changes() {
        assertThat(TaintPolicies.matchConditions()).extracting(condition -> condition.get("name"))
                .containsExactly("stays", "changed");
    }

    @Test
    void only_kinds_with_annotations_of_their_own_are_compared_by_them() {
        assertThat(TaintPolicies.matchConditions().getLast().get("expression"))
                .contains("object.kind in ['Machine'] && has(object.metadata.annotations)");
    }

    private static Map<String, Object> resources(String group, String... plurals) {
        return Map.of("apiGroups", List.of(group), "apiVersions", List.of("*"), "operations",
                List.of("CREATE", "UPDATE"), "resources", List.of(plurals));
    }

    /** All texts in maps and lists. */
    private static Stream<String> texts(Object value) {
        return switch (value) {
            case Stream<?> all -> all.flatMap(TaintPoliciesTest::texts);
            case List<?> all -> texts(all.stream());
            case Map<?, ?> map -> texts(map.values().stream());
            default -> Stream.of(String.valueOf(value));
        };
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
