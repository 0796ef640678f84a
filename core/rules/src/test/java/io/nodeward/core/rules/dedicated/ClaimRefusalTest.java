package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.truncated;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims that are made while a stored pod names them. */
class ClaimRefusalTest {
    private static final PodClaim CLAIM = new PodClaim(false, new ObjectKey("n", "c"));
    private static final Make GPUS = group("gpus").who(
            new Who(List.of("lab"), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of("gpu")));

    private static CandidatePod claiming(String key, String node, Toleration... tolerations) {
        ObjectKey claim = new ObjectKey(key.substring(0, key.indexOf('/')), "c");
        return with(pod(key, node, tolerations), "default", Set.of(), new PodClaim(false, claim));
    }

    private static Optional<String> create(String deviceClass, CandidatePod pod, Make... groups) {
        Tree claim = Tree.of(Map.of("spec", Map.of("devices", Map.of("requests",
                List.of(Map.of("exactly", Map.of("deviceClassName", deviceClass)))))));
        return ClaimRefusal.of(ClaimedClasses.written(new ObjectKey(pod.key().namespace(), "c"), claim),
                Stream.of(pod), groups(groups), Make.members());
    }

    @Test
    void what_a_truncated_pod_tolerates_is_not_known_so_that_its_claim_needs_the_device() {
        CandidatePod pod = truncated(claiming("n/p", ""));
        assertThat(pod.claims()).containsExactly(CLAIM);
        assertThat(create("nic", pod, GPUS)).hasValueSatisfying(
                text -> assertThat(text).contains("pod p has more ", "spec.tolerations (64 distinct)",
                        "may tolerate its taint"));
        assertThat(create("gpu", pod, GPUS)).isEmpty();
        assertThat(create("nic", claiming("n/p", ""), GPUS)).as("this one is known to tolerate nothing").isEmpty();
    }

    @Test
    void of_a_pod_that_memory_is_short_for_a_few_claims_are_known_and_any_claim_may_be_one_of_many() {
        CandidatePod few = claiming("n/p", "").reduced();
        assertThat(few.claims()).containsExactly(CLAIM);
        CandidatePod many = with(pod("n/p", ""), "default", Set.of(), IntStream.range(0, 9)
                .mapToObj(i -> new PodClaim(false, new ObjectKey("n", "d" + i))).toArray(PodClaim[]::new)).reduced();
        assertThat(many.claims()).containsExactly(PodClaim.any("n"));
        assertThat(create("nic", many, GPUS)).hasValueSatisfying(
                text -> assertThat(text).contains("pod p has more ", "memory is short"));
        assertThat(create("gpu", many, GPUS)).isEmpty();
    }

    @Test
    void the_message_says_what_holds_of_a_toleration_that_the_pod_has_by_itself_and_of_one_that_it_got() {
        for (Toleration toleration : List.of(GPUS.ready().toleration(), Toleration.exists("", ""))) {
            assertThat(create("nic", claiming("n/p", "", toleration), GPUS)).contains("DedicatedNodes gpus: pod p"
                    + " tolerates its taint and would be no member with this claim, which must ask for a device of gpu;"
                    + " or delete the pod first");
            assertThat(create("gpu", claiming("n/p", "", toleration), GPUS)).isEmpty();
        }
    }

    @Test
    void a_pod_that_the_claim_makes_a_member_of_the_shared_group_with_this_taint_is_free() {
        Toleration toleration = GPUS.ready().toleration();
        Make rest = Make.shared("rest").taint(toleration.key(), toleration.value(), DedicatedEffect.NoSchedule);
        assertThat(create("nic", claiming("n/p", "", toleration), GPUS, rest)).isEmpty();
        assertThat(create("nic", claiming("n/p", "", toleration), GPUS, Make.shared("rest"))).isPresent();
    }

    @Test
    void truncated_pods_that_are_members_anyway_or_that_no_group_can_get_are_free() {
        assertThat(create("nic", truncated(claiming("lab/p", "")), GPUS)).as("a member by its namespace").isEmpty();
        assertThat(create("nic", truncated(claiming("n/p", "foo")), GPUS)).as("it has its Node").isEmpty();
        assertThat(create("nic", truncated(claiming("kube-system/p", "")), GPUS)).as("of the system").isEmpty();
        assertThat(create("nic", truncated(claiming("n/p", "")), GPUS.mode(EnforcementMode.Warn))).isEmpty();
    }
}
