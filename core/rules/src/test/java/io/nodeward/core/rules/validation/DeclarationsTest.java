package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.validation.Review.Occasion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of an object on its way to be stored. */
class DeclarationsTest {
    private static final Map<String, Object> TAINT = Map.of("key", "a", "value", "1", "effect", "NoSchedule",
            "propagation", MachineTaint.ALWAYS);
    private static final Given<DeclaredTaint> READ =
            Given.of(Fleet.declared(Fleet.always("a", "1", "NoSchedule")));

    @Test
    void a_place_outside_lists_has_one_path() {
        DeclaringPlace place = DeclaringPlace.parse("spec.template.spec.taints");

        assertThat(place).isEqualTo(new DeclaringPlace(List.of("spec", "template", "spec", "taints"), "", List.of()));
        assertThat(place.isInList()).isFalse();
        assertThat(place.at(3)).isEqualTo("spec.template.spec.taints");
    }

    @Test
    void a_place_in_a_list_has_a_key_and_a_path_below() {
        DeclaringPlace place = DeclaringPlace.parse("spec.workers[class].template.taints");

        assertThat(place).isEqualTo(
                new DeclaringPlace(List.of("spec", "workers"), "class", List.of("template", "taints")));
        assertThat(place.isInList()).isTrue();
        assertThat(place.at(3)).isEqualTo("spec.workers[3].template.taints");
    }

    @Test
    void taints_and_annotations_are_read_as_they_were_and_as_they_come() {
        Tree before = object(Map.of(), Map.of("taints", List.of(TAINT)));
        Tree now = object(Map.of("annotations", Map.of("taint.nodeward.io/x", "b:NoExecute")), Map.of());

        Review review = new Declarations(before, now).review(DeclaringKind.MACHINE);

        assertThat(review.taints()).containsExactly(
                new Review.Taints("spec.taints", Given.of(List.of(READ)), Given.absent()));
        assertThat(review.annotations()).containsExactly(new Review.Annotations(
                "metadata.annotations", Map.of(), Map.of("taint.nodeward.io/x", "b:NoExecute")));
    }

    @Test
    void what_is_of_another_type_is_read_as_such() {
        Tree now = object(Map.of("annotations", Map.of("n", 1)),
                Map.of("taints", Arrays.asList(7, Tree.ABSENT, Map.of("key", 1, "effect", List.of()))));

        Review review = new Declarations(Tree.ABSENT, now).review(DeclaringKind.MACHINE);

        assertThat(review.taints().getFirst().now()).isEqualTo(Given.of(List.of(
                Given.wrongType("number"), Given.absent(), Given.of(new DeclaredTaint(
                        Given.wrongType("number"), Given.absent(), Given.wrongType("array"), Given.absent())))));
        assertThat(review.annotations().getFirst().now()).isEqualTo(Map.of("n", ""));
        assertThat(new Declarations(Tree.ABSENT, object(Map.of(), Map.of("taints", "no list")))
                .review(DeclaringKind.MACHINE).taints().getFirst().now()).isEqualTo(Given.wrongType("string"));
    }

    @Test
    void an_element_of_a_list_is_compared_with_the_one_of_its_name() {
        Tree before = topology(worker("one", "a"), worker("two", "b"));
        Tree now = topology(worker("two", "b"), worker("three", "c"), worker("two", "d"));

        List<Review.Taints> taints =
                new Declarations(before, now).review(DeclaringKind.CLUSTER).taints().stream()
                        .filter(list -> list.path().contains("machineDeployments")).toList();

        assertThat(taints).containsExactly(
                new Review.Taints("spec.topology.workers.machineDeployments[0].taints", keys("b"), keys("b")),
                new Review.Taints("spec.topology.workers.machineDeployments[1].taints", Given.absent(), keys("c")),
                new Review.Taints("spec.topology.workers.machineDeployments[2].taints", Given.absent(), keys("d")));
    }

    @ParameterizedTest
    @CsvSource({
            "created, none, false, WRITTEN",
            "created, controller, false, COPIED",
            "created, other, false, WRITTEN",
            "created, label, false, COPIED",
            "updated, controller, false, WRITTEN",
            "updated, label, false, WRITTEN",
            "created, controller, true, DELETING",
            "updated, none, true, DELETING",
    })
    void whose_doing_it_is(String how, String maker, boolean deleting, Occasion occasion) {
        Tree metadata = Tree.of(switch (maker) {
            case "controller" -> Map.of("ownerReferences", List.of(Map.of("controller", false, "name", "first"),
                    Map.of("controller", true, "name", "second")));
            case "other" -> Map.of("ownerReferences", List.of(Map.of("controller", false), Map.of("name", "n")));
            case "label" -> Map.of("labels", Map.of("topology.cluster.x-k8s.io/owned", ""));
            default -> Map.of();
        });
        Tree now = Tree.of(Map.of("metadata", deleting
                ? Tree.of(Map.of("deletionTimestamp", "2026-01-02T03:04:05Z", "ownerReferences",
                        metadata.at("ownerReferences").elements()))
                : metadata));

        Review review = new Declarations(how.equals("created") ? Tree.ABSENT : now, now).review(DeclaringKind.MACHINE);

        assertThat(review.occasion()).isEqualTo(occasion);
    }

    private static Given<List<Given<DeclaredTaint>>> keys(String key) {
        return Given.of(List.of(Given.of(new DeclaredTaint(
                Given.of(key), Given.absent(), Given.absent(), Given.absent()))));
    }

    private static Map<String, Object> worker(String name, String key) {
        return Map.of("name", name, "taints", List.of(Map.of("key", key)));
    }

    private static Tree topology(Object... workers) {
        return object(Map.of(), Map.of("topology", Map.of("workers", Map.of("machineDeployments", List.of(workers)))));
    }

    private static Tree object(Map<String, Object> metadata, Map<String, Object> spec) {
        return Tree.of(Map.of("metadata", metadata, "spec", spec));
    }
}
