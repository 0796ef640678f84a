package io.nodeward.core.rules.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PodAdditionsPatchTest {
    private static final String TERMS =
            "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
    private static final Toleration TOLERATION = Toleration.equalTo("dedicated", "banana", "");
    private static final String TOLERATION_JSON = "{'key':'dedicated','operator':'Equal','value':'banana'}";
    private static final PodAdditions TOLERATE = new PodAdditions(List.of(TOLERATION), List.of());
    private static final PodAdditions RESTRICT =
            new PodAdditions(List.of(), List.of(new Requirement("k", Operator.IN, List.of("a", "b"))));
    private static final String REQUIREMENT = "{'key':'k','operator':'In','values':['a','b']}";

    @Test
    void a_pod_without_tolerations_gets_the_list() {
        String patch = "[{'op':'add','path':'/spec/tolerations','value':[" + TOLERATION_JSON + "]}]";
        assertPatch("{'spec':{}}", TOLERATE, patch);
        assertPatch("{'spec':{'tolerations':[]}}", TOLERATE, patch);
        assertPatch("{'spec':{'tolerations':null}}", TOLERATE, patch);
    }

    @Test
    void one_with_tolerations_gets_more_behind_them() {
        PodAdditions two = new PodAdditions(List.of(TOLERATION, Toleration.equalTo("gpu", "", "")), List.of());
        assertPatch("{'spec':{'tolerations':[{'operator':'Exists','key':'x'}]}}", two,
                "[{'op':'add','path':'/spec/tolerations/-','value':" + TOLERATION_JSON
                        + "},{'op':'add','path':'/spec/tolerations/-','value':{'key':'gpu','operator':'Equal'}}]");
    }

    @Test
    void nothing_to_add_is_no_patch() {
        assertPatch("{'spec':{}}", new PodAdditions(List.of(), List.of()), "[]");
    }

    @Test
    void the_first_missing_field_of_the_affinity_is_added_with_all_below_it() {
        String terms = "[{'matchExpressions':[" + REQUIREMENT + "]}]";
        String required = "{'nodeSelectorTerms':" + terms + "}";
        String node = "{'requiredDuringSchedulingIgnoredDuringExecution':" + required + "}";
        assertPatch("{'spec':{}}", RESTRICT, add("/spec/affinity", "{'nodeAffinity':" + node + "}"));
        assertPatch("{'spec':{'affinity':{}}}", RESTRICT, add("/spec/affinity/nodeAffinity", node));
        assertPatch("{'spec':{'affinity':{'nodeAffinity':{}}}}", RESTRICT,
                add("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution", required));
        assertPatch("{'spec':{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{}}}}}",
                RESTRICT, add(TERMS, terms));
    }

    @Test
    void every_term_gets_the_requirement_as_terms_are_alternatives() {
        assertPatch(terms("{'matchExpressions':[{'key':'x','operator':'Exists'}]}",
                "{'matchFields':[{'key':'metadata.name','operator':'In','values':['n']}]}"), RESTRICT,
                "[{'op':'add','path':'" + TERMS + "/0/matchExpressions/-','value':" + REQUIREMENT + "},"
                        + "{'op':'add','path':'" + TERMS + "/1/matchExpressions','value':[" + REQUIREMENT + "]}]");
    }

    @Test
    void a_term_that_matches_nothing_goes_on_so() {
        assertPatch(terms("{}", "{'matchExpressions':[]}"), RESTRICT, "[]");
    }

    @Test
    void a_term_that_has_the_requirement_gets_what_is_missing() {
        assertPatch(terms("{'matchExpressions':[" + REQUIREMENT + "]}"), RESTRICT, "[]");
        PodAdditions two = new PodAdditions(List.of(), List.of(new Requirement("k", Operator.IN, List.of("a", "b")),
                new Requirement("l", Operator.IN, List.of("c"))));
        assertPatch(terms("{'matchExpressions':[" + REQUIREMENT + "]}"), two, add(TERMS + "/0/matchExpressions/-",
                "{'key':'l','operator':'In','values':['c']}"));
    }

    @Test
    void more_terms_than_anybody_writes_are_counted_and_not_looked_at() {
        AtomicInteger looked = new AtomicInteger();
        Tree most = pod(looked, 1000);
        assertThat(RESTRICT.fault(most.at("spec"))).isEmpty();
        assertThat(RESTRICT.patch(most.at("spec")).operations()).hasSize(1000);
        assertThat(looked).hasValue(1000);
        Tree hostile = pod(looked, 1_000_000);
        assertThat(RESTRICT.fault(hostile.at("spec"))).contains("spec.affinity.nodeAffinity"
                + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: has 1000000 terms, and a member of"
                + " an exclusive DedicatedNodes may have 1000");
        assertThat(TOLERATE.fault(hostile.at("spec"))).as("it is not restricted").isEmpty();
        assertThat(TOLERATE.patch(hostile.at("spec")).operations()).hasSize(1);
        assertThat(looked).hasValue(1000);
    }

    /** @param looked how many terms somebody has looked at */
    private static Tree pod(AtomicInteger looked, int terms) {
        Tree term = Tree.of(Map.of("matchExpressions", List.of(Map.of("key", "x", "operator", "Exists"))));
        Tree counted = new Tree.Items(new AbstractList<>() {
            @Override
            public Tree get(int index) {
                looked.incrementAndGet();
                return term;
            }

            @Override
            public int size() {
                return terms;
            }
        });
        return Tree.of(Map.of("spec", Map.of("affinity", Map.of("nodeAffinity", Map.of(
                "requiredDuringSchedulingIgnoredDuringExecution", Map.of("nodeSelectorTerms", counted))))));
    }

    private static String terms(String... terms) {
        return "{'spec':{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':[" + String.join(",", terms) + "]}}}}}";
    }

    private static String add(String path, String value) {
        return "[{'op':'add','path':'" + path + "','value':" + value + "}]";
    }

    private static void assertPatch(String pod, PodAdditions additions, String patch) {
        try {
            assertThat(json(new String(Trees.written(
                    additions.patch(read(pod).at("spec")).tree()), StandardCharsets.UTF_8)))
                    .isEqualTo(json(patch));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private static Tree read(String json) throws IOException {
        return Trees.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
