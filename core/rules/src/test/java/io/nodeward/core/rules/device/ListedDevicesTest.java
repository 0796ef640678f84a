package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.pod.Toleration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ListedDevicesTest {
    private static final Toleration FOR_EVER = Toleration.of(Tree.of(Map.of("key", "k", "operator", "Exists")));
    private static final Toleration FOR_A_TIME = Toleration.of(Tree.of(Map.of("key", "k", "operator", "Exists",
            "effect", "NoExecute", "tolerationSeconds", 60)));

    private final DeviceUse use = new DeviceUse();

    private ListedDevices of(DeviceTaintSlice slice, String... published) {
        return ListedDevices.of(slice, device -> Set.of(published).contains(device.device()), OptionalLong.of(7),
                device -> use.claims.stream().filter(claim -> claim.allocated().stream()
                        .anyMatch(each -> each.device().equals(device))).toList(),
                claim -> use.pods.stream().filter(claim::isReservedFor).toList());
    }

    /** Each taint as {@code DEVICE:KEY:EFFECT}. */
    private static DeviceTaintSlice slice(String... taints) {
        return DeviceTaintSlice.of(Tree.of(Map.of("driver", "d", "pool", "p", "taints", Stream.of(taints)
                .map(taint -> taint.split(":", -1)).<Object>map(taint -> Map.of("device", taint[0], "taint",
                        Map.of("key", taint[1], "effect", taint[2])))
                .toList())));
    }

    @Test
    void a_device_is_known_if_it_is_published_and_named_once_however_many_taints_it_has() {
        ListedDevices listed = of(slice("b:k:None", "a:k:None", "a:l:None", "z:k:None", "y:k:None", "y:l:None"), "a",
                "b", "c");
        assertThat(listed.published()).isEqualTo(2);
        assertThat(listed.unknown()).containsExactly("y", "z");
        assertThat(of(slice(), "a"))
                .isEqualTo(new ListedDevices(0, OptionalLong.of(7), List.of(), listed.evicted(), 0));
    }

    @Test
    void pods_go_for_the_effect_no_execute_that_their_claims_do_not_tolerate_for_ever() {
        use.claim("stays", List.of(DeviceUse.allocated("a", FOR_EVER)), "stays", "both").pod("stays")
                .claim("later", List.of(DeviceUse.allocated("b", FOR_A_TIME)), "later").pod("later")
                .claim("goes", List.of(DeviceUse.allocated("c")), "both").pod("both")
                .claim("other", List.of(DeviceUse.allocated("e")), "other").pod("other")
                .claim("x/far", List.of(DeviceUse.allocated("c")), "far").pod("x/far")
                .claim("replaced", List.of(DeviceUse.allocated("c")), "again:before").pod("again")
                .claim("unscheduled", List.of(DeviceUse.allocated("c")), "waits").pod("waits", "", false, "Pending");
        ListedDevices all = of(slice("a:k:NoExecute", "b:k:NoExecute", "c:k:NoExecute", "c:l:NoExecute"));
        assertThat(all.evicted().names()).containsExactly("n/both", "n/later", "x/far");
        assertThat(all.namespaces()).isEqualTo(2);
        assertThat(of(slice("a:l:NoExecute", "c:k:NoSchedule", "b:k:None")).evicted().names())
                .as("of another key").containsExactly("n/both", "n/stays");
    }

    @Test
    void a_taint_that_evicts_has_the_time_since_when_it_counts() {
        DeviceTaintSlice slice = slice("a:k:NoExecute", "a:l:NoExecute", "b:k:NoSchedule");
        assertThat(ListedTaints.evicting(slice, entry -> entry.taint().key().equals("k") ? Instant.EPOCH : Instant.MAX))
                .containsOnlyKeys(DeviceUse.name("a")).allSatisfy((device, rules) -> {
                    assertThat(rules).containsOnlyKeys("a/k=:NoExecute", "a/l=:NoExecute");
                    assertThat(rules.get("a/k=:NoExecute").taint().timeAdded()).contains(Instant.EPOCH);
                    assertThat(rules.get("a/l=:NoExecute").taint().timeAdded()).contains(Instant.MAX);
                });
    }

    @Test
    void each_taint_that_keeps_pods_off_has_a_rule_of_the_server_of_its_own() {
        DeviceTaintSlice slice =
                slice("a:k:NoExecute", "a:k:NoSchedule", "a:l:NoSchedule", "b:k:NoSchedule", "b:l:None");
        List<ServerRule> rules = ListedTaints.serverRules("uid", "health", slice);
        assertThat(rules).extracting(rule -> rule.selector().device().orElseThrow() + ":" + rule.key() + ":"
                + rule.effect()).containsExactly("a:k:NoExecute", "a:k:NoSchedule", "a:l:NoSchedule", "b:k:NoSchedule");
        assertThat(rules).extracting(ServerRule::name).doesNotHaveDuplicates()
                .allMatch(name -> name.startsWith("nodeward-health-"));
        assertThat(ListedTaints.needed(slice)).isEqualTo(rules.size());
        assertThat(ListedTaints.serverRules("other", "health", slice)).extracting(ServerRule::name)
                .doesNotContainAnyElementsOf(rules.stream().map(ServerRule::name).toList());
    }
}
