package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be said of the policies without a server; the suite "admission" runs them on one. */
class TaintPoliciesTest {
    private static final Path FILES = Path.of("..", "..", "deploy", "admission");
    private static final String HEAD =
            """
                    # Written from the tables of core/rules, from which the webhook judges too: change it there.
                    # Of the conditions, "stays": nothing is asked of what is being deleted, as its finalizers must go; "changed": most
                    # updates change nothing that declares taints; "written": what a controller makes of a stored template is only
                    # warned of, by another policy.
                    """;
    private static final ObjectMapper YAML = new YAMLMapper().enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE).disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    private static final String SIGNS = "aZ09-._/:= \n\u00e4";

    @ParameterizedTest
    @EnumSource
    void the_files_to_apply_are_written_from_the_rules(TaintPolicies.Rules rules) throws IOException {
        String name = "machine-taints-" + rules.name().toLowerCase(Locale.ROOT) + ".nodeward.io";
        Path file = FILES.resolve(name + ".yaml");
        String yaml = HEAD + object(name, "", spec(rules)) + object(name, "Binding", Map.of("policyName", name,
                "validationActions", List.of(rules == TaintPolicies.Rules.LIFECYCLE ? "Warn" : "Deny")));
        if ("write".equals(System.getProperty("nodeward.policies"))) {
            Files.createDirectories(FILES);
            Files.writeString(file, yaml);
        }
        assertThat(file).as("run with -Dnodeward.policies=write").content().isEqualTo(yaml);
    }

    private static Map<String, Object> spec(TaintPolicies.Rules rules) {
        return TaintPolicies.spec(rules, List.of(DeclaringKind.values()), "Ignore");
    }

    private static String object(String name, String kind, Map<String, ?> spec) throws IOException {
        return YAML.writeValueAsString(Map.of("apiVersion", "admissionregistration.k8s.io/v1", "kind",
                "ValidatingAdmissionPolicy" + kind, "metadata", Map.of("name", name), "spec", spec));
    }

    @Test
    void a_policy_has_every_place_of_every_kind() {
        String yaml = spec(TaintPolicies.Rules.INVALID).toString();
        for (DeclaringKind kind : DeclaringKind.values()) {
            assertThat(yaml).contains("object.kind == '" + kind.kind() + "'").contains(kind.plural());
        }
        assertThat(yaml).contains("object.?spec.?taints", "variables.before.?spec.?taints",
                "object.?spec.?topology.?workers.?machinePools.orValue(dyn([])).filter(w,"
                        + " w.?taints.hasValue() && !(w in variables.before.?spec.?topology.?workers.?machinePools.orValue(dyn([]))))"
                        + ".map(w, [w.?taints",
                "o.class == w.class")
                .contains("failurePolicy=Ignore", "object.spec != oldObject.spec");
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
