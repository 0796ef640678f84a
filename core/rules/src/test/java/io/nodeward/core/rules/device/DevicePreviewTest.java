package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceUse.GONE;
import static io.nodeward.core.rules.device.DeviceUse.HOT;
import static io.nodeward.core.rules.device.DeviceUse.PUBLISHED;
import static io.nodeward.core.rules.device.DeviceUse.allocated;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.device.DevicePreview.Unanswered;
import io.nodeward.core.rules.preview.Sample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DevicePreviewTest {
    private static final Sample NONE = Sample.of(List.of());
    private static final DeviceMatch UNKNOWN = new DeviceMatch.Unknown("no such key");
    private static final Toleration FOR_EVER = Toleration.exists("example.com/hot", "NoExecute");

    @Test
    void the_status_counts_devices_and_pods_and_names_the_first() {
        Tree status = counted(NONE).tree();

        assertThat(status.at("devices").integer()).hasValue(12);
        assertThat(status.at("pods").integer()).hasValue(2);
        assertThat(status.at(List.of("preview", "devices", "names")).elements()).hasSize(10);
        assertThat(status.at(List.of("preview", "evicted"))).isEqualTo(Tree.of(
                Map.of("count", 2, "names", List.of("a/x", "b/y"))));
        assertThat(status.at(List.of("preview", "namespaces")).integer()).hasValue(2);
        assertThat(status.at(List.of("preview", "driverTaints"))).isEqualTo(Tree.of(List.of(
                Map.of("key", "d.example.com/ecc", "value", "2", "effect", "NoExecute", "devices", 3, "evictedBy",
                        "Kubernetes"),
                Map.of("key", "d.example.com/hot", "value", "", "effect", "None", "devices", 1))));
        assertThat(status.at(List.of("preview", "evictedByKubernetes"))).isEqualTo(Tree.of(
                Map.of("count", 1, "names", List.of("a/x"))));
    }

    @Test
    void taints_of_drivers_on_selected_devices_are_counted_by_key_value_and_effect() {
        DeviceUse use = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .device("y", DeviceMatch.YES, PUBLISHED).device("no", DeviceMatch.NO, PUBLISHED)
                .device("unknown", UNKNOWN, PUBLISHED)
                .driverTaint("x", "b", "None").driverTaint("x", "b", "None").driverTaint("x", "b", "NoSchedule")
                .driverTaint("y", "b", "None").driverTaint("no", "c", "None").driverTaint("unknown", "c", "None");

        assertThat(use.preview().driverTaints()).containsExactly(new DriverTaint("b", "v", "NoSchedule", 1),
                new DriverTaint("b", "v", "None", 2));
        for (int i = 99; i >= 10; i--) {
            use.driverTaint(i % 2 == 0 ? "x" : "y", "a" + i, "None");
        }
        assertThat(use.preview().driverTaints()).extracting(DriverTaint::key).as("the first ten")
                .isEqualTo(IntStream.range(10, 20).mapToObj(i -> "a" + i).toList());
    }

    /** A toleration without an effect is none for the eviction controller of Kubernetes. */
    @Test
    void pods_are_named_that_kubernetes_evicts_for_a_driver_beside_the_rule() {
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .device("y", DeviceMatch.YES, PUBLISHED).driverTaint("x", "drv", "NoExecute")
                .driverTaint("y", "drv", "NoSchedule")
                .claim("a", List.of(allocated("x")), "both").claim("b", List.of(allocated("y")), "rule", "both")
                .claim("c", List.of(allocated("x", FOR_EVER)), "driver")
                .claim("d", List.of(allocated("x", Toleration.exists("drv", "NoExecute"))), "tolerates")
                .claim("e", List.of(allocated("x", Toleration.exists("drv", ""))), "no-effect")
                .pod("both").pod("rule").pod("driver").pod("tolerates").pod("no-effect").preview();

        assertThat(preview.evicted()).isEqualTo(names("n/both", "n/no-effect", "n/rule", "n/tolerates"));
        assertThat(preview.evictedByKubernetes()).isEqualTo(names("n/both", "n/no-effect"));
        assertThat(preview.tolerating()).isEqualTo(names("n/driver"));
    }

    @Test
    void pods_are_not_counted_while_a_device_is_unknown() {
        Tree status = counted(Sample.of(List.of("d/p/gone"))).tree();

        assertThat(status.at("pods")).isEqualTo(Tree.ABSENT);
        assertThat(status.at("devices").integer()).hasValue(12);
        assertThat(status.at(List.of("preview", "unknown", "names"))).isEqualTo(Tree.of(List.of("d/p/gone")));
    }

    @Test
    void devices_are_counted_by_what_is_known_about_them() {
        DevicePreview preview = new DeviceUse()
                .device("free", DeviceMatch.YES, PUBLISHED)
                .device("used", DeviceMatch.YES, PUBLISHED)
                .device("gone", DeviceMatch.YES, GONE)
                .device("unseen", DeviceMatch.YES, GONE)
                .device("failed", UNKNOWN, PUBLISHED)
                .device("failed-used", UNKNOWN, PUBLISHED)
                .device("gone-unknown", UNKNOWN, GONE)
                .device("unseen-unknown", UNKNOWN, GONE)
                .device("other", DeviceMatch.NO, PUBLISHED)
                .claim("all",
                        List.of(allocated("used"), allocated("gone"), allocated("unseen"), allocated("failed-used"),
                                allocated("gone-unknown"), allocated("unseen-unknown"), allocated("other")))
                .preview();

        assertThat(preview).isEqualTo(new DevicePreview(names("d/p/free", "d/p/used"),
                names("d/p/gone", "d/p/unseen", "d/p/used"), NONE, 0, NONE, unanswered("d/p/failed", "d/p/failed-used"),
                new Unanswered(names("d/p/gone-unknown", "d/p/unseen-unknown"),
                        "ResourceClaim n/all has it; no such key"),
                List.of(), NONE));
    }

    /** As soon as no claim has it, what is not published is no device, and what nobody knows of it matters to no pod. */
    @Test
    void what_no_slice_publishes_and_no_claim_has_does_not_count() {
        assertThat(new DeviceUse().device("gone", DeviceMatch.YES, GONE)
                .device("unseen", UNKNOWN, GONE).preview())
                .isEqualTo(new DevicePreview(NONE, NONE, NONE, 0, NONE, Unanswered.NONE, Unanswered.NONE,
                        List.of(), NONE));
    }

    @Test
    void the_first_device_without_an_answer_is_named_with_its_own_reason() {
        DeviceUse use = new DeviceUse();
        for (int i : List.of(21, 10, 30)) {
            use.device("f" + i, new DeviceMatch.Unknown("failed " + i), PUBLISHED)
                    .device("u" + i, new DeviceMatch.Unknown("unknown " + i), GONE)
                    .claim("d" + i, List.of(allocated("u" + i))).claim("c" + i, List.of(allocated("u" + i)));
        }

        assertThat(use.preview().failed().first()).hasValue("d/p/f10: failed 10");
        assertThat(use.preview().unknown().first()).hasValue("d/p/u10: ResourceClaim n/c10 has it; unknown 10");
        assertThat(new DeviceUse().preview().failed().first()).isEmpty();
    }

    @Test
    void a_claim_of_a_group_is_used_by_those_of_its_pods_that_name_it() {
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .claim("shared", List.of(allocated("x")), "group/g", "alone").pod("alone")
                .podOf("g", "uses", "own", "shared").podOf("g", "does-not", "own").podOf("h", "other", "shared")
                .podOf("g", "m/far", "shared").preview();

        assertThat(preview.evicted()).isEqualTo(names("n/alone", "n/uses"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {PUBLISHED, GONE})
    void pods_that_use_a_selected_device_are_evicted(boolean isPublished) {
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, isPublished)
                .device("y", DeviceMatch.NO, isPublished).device("z", UNKNOWN, isPublished)
                .claim("a", List.of(allocated("x")), "one", "two").claim("m/a", List.of(allocated("x")), "one")
                .claim("other", List.of(allocated("y"), allocated("z"), allocated("never-asked")), "three")
                .pod("one").pod("two").pod("three").pod("m/one").preview();

        assertThat(preview.evicted()).isEqualTo(names("m/one", "n/one", "n/two"));
        assertThat(preview.namespaces()).isEqualTo(2);
        assertThat(preview.tolerating()).isEqualTo(NONE);
    }

    @Test
    void a_pod_counts_if_the_claim_is_reserved_for_it_and_it_runs() {
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .claim("c", List.of(allocated("x")), "runs", "pending", "no-status", "unscheduled", "deleted",
                        "succeeded", "failed", "replaced:old", "nowhere")
                .claim("elsewhere", List.of(allocated("y")), "bystander")
                .pod("runs").pod("pending", "node-1", false, "Pending").pod("no-status", "node-1", false, "")
                .pod("unscheduled", "", false, "Pending").pod("deleted", "node-1", true, "Running")
                .pod("succeeded", "node-1", false, "Succeeded").pod("failed", "node-1", false, "Failed")
                .pod("replaced").pod("bystander").pod("m/runs").preview();

        assertThat(preview.evicted()).isEqualTo(names("n/no-status", "n/pending", "n/runs"));
        assertThat(preview.tolerating()).isEqualTo(NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "example.com/hot   | Exists |        | NoExecute  |     | true",
            "example.com/hot   | Exists |        |            |     | true",
            "                  | Exists |        |            |     | true",
            "example.com/hot   | Equal  | very   | NoExecute  |     | true",
            "example.com/hot   |        | very   | NoExecute  |     | true",
            "example.com/hot   | Equal  | little | NoExecute  |     | false",
            "example.com/cold  | Exists |        | NoExecute  |     | false",
            "example.com/hot   | Exists |        | NoSchedule |     | false",
            "example.com/hot   | Exists |        | None       |     | false",
            "example.com/hot   | Gt     | very   | NoExecute  |     | false",
            "example.com/hot   | Exists |        | NoExecute  | 600 | false",
            "example.com/hot   | Exists |        |            | 600 | false",
            "example.com/hot   | Exists |        | NoExecute  | -1  | false",
            "example.com/hot   | Exists |        | NoExecute  | 9223372036854775807 | false",
    })
    void a_pod_stays_if_its_claim_tolerates_the_taint_for_ever(
            String key, String operator, String value, String effect, Long seconds, boolean tolerates) {
        Toleration toleration = new Toleration(text(key), text(operator), text(value), text(effect),
                seconds == null ? OptionalLong.empty() : OptionalLong.of(seconds));
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .claim("c", List.of(allocated("x", toleration)), "one").pod("one").preview();

        assertThat(preview.tolerating()).isEqualTo(tolerates ? names("n/one") : NONE);
        assertThat(preview.evicted()).isEqualTo(tolerates ? NONE : names("n/one"));
        assertThat(preview.namespaces()).isEqualTo(tolerates ? 0 : 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"None", "NoSchedule", "NoExecute", "", "Later"})
    void whatever_the_effect_of_the_rule_the_preview_is_of_no_execute(String effect) {
        DeviceUse use = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .claim("a", List.of(allocated("x", FOR_EVER)), "stays").claim("b", List.of(allocated("x")), "goes")
                .pod("stays").pod("goes");

        assertThat(use.preview(new RuleTaint(HOT.key(), HOT.value(), effect, Optional.empty(), TaintData.NONE, "", 10)))
                .isEqualTo(use.preview()).satisfies(preview -> {
                    assertThat(preview.evicted()).isEqualTo(names("n/goes"));
                    assertThat(preview.tolerating()).isEqualTo(names("n/stays"));
                });
    }

    /** The pod is one, whatever it uses: the device that it may not use decides. */
    @Test
    void one_device_that_a_pod_does_not_tolerate_is_enough() {
        DevicePreview preview = new DeviceUse().device("x", DeviceMatch.YES, PUBLISHED)
                .device("y", DeviceMatch.YES, GONE)
                .claim("both", List.of(allocated("x", FOR_EVER), allocated("y")), "one")
                .claim("shares", List.of(allocated("x", FOR_EVER), allocated("x", FOR_EVER.forSeconds(1))), "two")
                .claim("first", List.of(allocated("x", FOR_EVER)), "three")
                .claim("second", List.of(allocated("y")), "three")
                .claim("untainted", List.of(allocated("x", FOR_EVER), allocated("z")), "four")
                .claim("longest", List.of(allocated("x", FOR_EVER.forSeconds(1), FOR_EVER)), "five")
                .pod("one").pod("two").pod("three").pod("four").pod("five").preview();

        assertThat(preview.evicted()).isEqualTo(names("n/one", "n/three", "n/two"));
        assertThat(preview.tolerating()).isEqualTo(names("n/five", "n/four"));
    }

    @Test
    void names_are_the_first_ten_and_counts_are_all() {
        DeviceUse use = new DeviceUse();
        for (int i = 99; i >= 10; i--) {
            use.device("x" + i, DeviceMatch.YES, PUBLISHED)
                    .claim("c" + i, List.of(allocated("x" + i)), "pod" + i)
                    .pod("pod" + i);
        }

        assertThat(use.preview().evicted()).isEqualTo(new Sample(
                90, IntStream.range(10, 20).mapToObj(i -> "n/pod" + i).toList()));
    }

    private static DevicePreview counted(Sample unknown) {
        List<String> devices = IntStream.range(0, 12).mapToObj(i -> "d/p/" + i).toList();
        return new DevicePreview(Sample.of(devices), Sample.of(devices.subList(0, 3)),
                Sample.of(List.of("b/y", "a/x")), 2, Sample.of(List.of("a/z")), Unanswered.NONE,
                new Unanswered(unknown, "why"),
                List.of(new DriverTaint("d.example.com/ecc", "2", "NoExecute", 3),
                        new DriverTaint("d.example.com/hot", "", "None", 1)),
                Sample.of(List.of("a/x")));
    }

    private static Unanswered unanswered(String... names) {
        return new Unanswered(names(names), "no such key");
    }

    private static Sample names(String... names) {
        return Sample.of(List.of(names));
    }

    private static String text(String cell) {
        return cell == null ? "" : cell;
    }
}
