package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceUse.allocated;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.ResourceClaim.Allocated;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.DeviceModel.Answer;
import io.nodeward.core.rules.device.DevicePreview.Unanswered;
import io.nodeward.core.rules.preview.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class DevicePreviewLawsTest {
    private static final List<DeviceMatch> MATCHES =
            List.of(DeviceMatch.YES, DeviceMatch.YES, DeviceMatch.NO, new DeviceMatch.Unknown("why"));
    private static final List<Toleration> TOLERATIONS = List.of(
            Toleration.exists("example.com/hot", "NoExecute"), Toleration.equalTo("example.com/hot", "very", ""),
            Toleration.exists("example.com/hot", "NoExecute").forSeconds(60), Toleration.exists("other", "NoExecute"),
            Toleration.exists("example.com/hot", "NoSchedule"));
    private static final List<String> PHASES = List.of("Running", "Running", "Running", "Pending", "Succeeded");

    /** Pod by pod, as it is defined: no index, and nothing in advance. */
    @Test
    void the_preview_is_as_asked_of_each_pod_and_device() {
        int evicted = 0;
        int tolerating = 0;
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            DeviceUse use = use(Cases.random(seed));
            DevicePreview preview = use.preview();
            evicted += preview.evicted().count();
            tolerating += preview.tolerating().count();

            assertThat(Sample.of(use.going)).as("seed %s", seed).isEqualTo(preview.evicted());
            assertThat(preview).as("seed %s", seed).isEqualTo(new DevicePreview(
                    devices(use, (name, answer) -> isSelected(answer) && isPublished(answer)),
                    devices(use, (name, answer) -> isSelected(answer) && isAllocated(use, name)),
                    pods(use, pod -> uses(use, pod) && !tolerates(use, pod)), namespaces(use),
                    pods(use, pod -> uses(use, pod) && tolerates(use, pod)),
                    unanswered(use, devices(use, (name, answer) -> isUnknown(answer) && isPublished(answer)), false),
                    unanswered(use, devices(use, (name, answer) -> isUnknown(answer) && !isPublished(answer)
                            && isAllocated(use, name)), true),
                    driverTaints(use), pods(use, pod -> uses(use, pod) && !tolerates(use, pod) && goes(use, pod))));
        }
        assertThat(evicted).isGreaterThan(Cases.COUNT / 4);
        assertThat(tolerating).isGreaterThan(Cases.COUNT / 20);
    }

    @Test
    void the_order_of_devices_claims_allocations_tolerations_reservations_and_pods_does_not_matter() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            DeviceUse use = use(random);

            assertThat(shuffled(use, random).preview()).as("seed %s", seed).isEqualTo(use.preview());
        }
    }

    @Test
    void a_toleration_more_evicts_no_pod_more() {
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            DeviceUse use = use(random);
            DeviceUse more = shuffled(use, random);
            more.claims.replaceAll(claim -> new ResourceClaim(claim.metadata(),
                    claim.allocated().stream().map(each -> with(each, one(random, TOLERATIONS))).toList(),
                    claim.reservedFor(), claim.podGroups()));

            assertThat(use.preview().evicted().names()).as("seed %s", seed)
                    .containsAll(more.preview().evicted().names());
        }
    }

    private interface DevicePredicate {
        boolean holds(DeviceName name, Answer answer);
    }

    private static boolean isSelected(Answer answer) {
        return answer.match().equals(DeviceMatch.YES);
    }

    private static boolean isUnknown(Answer answer) {
        return answer.match() instanceof DeviceMatch.Unknown;
    }

    private static boolean isPublished(Answer answer) {
        return answer.published();
    }

    private static boolean isAllocated(DeviceUse use, DeviceName name) {
        return use.claims.stream().flatMap(claim -> claim.allocated().stream())
                .anyMatch(each -> each.device().equals(name));
    }

    private static boolean uses(DeviceUse use, Pod pod) {
        return !pod.nodeName().isEmpty() && !pod.metadata().deleting() && !pod.phase().equals("Succeeded")
                && !selected(use, pod).isEmpty();
    }

    private static boolean tolerates(DeviceUse use, Pod pod) {
        return selected(use, pod).stream().allMatch(each -> each.tolerations().contains(TOLERATIONS.get(0))
                || each.tolerations().contains(TOLERATIONS.get(1)));
    }

    /** Returns whether Kubernetes evicts the pod for a taint of a driver. */
    private static boolean goes(DeviceUse use, Pod pod) {
        return selected(use, pod).stream().anyMatch(each -> use.driverTaints.getOrDefault(each.device(), List.of())
                .stream().anyMatch(taint -> taint.effect().equals("NoExecute"))
                && !each.tolerations().contains(TOLERATIONS.get(3)));
    }

    private static List<DriverTaint> driverTaints(DeviceUse use) {
        return List.of("NoExecute", "None").stream().map(effect -> new DriverTaint("other", "v", effect,
                (int) use.driverTaints.entrySet().stream().filter(each -> isSelected(use.devices.get(each.getKey())))
                        .filter(each -> each.getValue().stream().anyMatch(taint -> taint.effect().equals(effect)))
                        .count()))
                .filter(taint -> taint.devices() > 0).toList();
    }

    private static List<Allocated> selected(DeviceUse use, Pod pod) {
        return use.claims.stream().filter(claim -> claim.key().namespace().equals(pod.key().namespace()))
                .filter(claim -> claim.reservedFor()
                        .contains(new PodReference(pod.key().name(), pod.metadata().uid())))
                .flatMap(claim -> claim.allocated().stream())
                .filter(each -> use.devices.containsKey(each.device()) && isSelected(use.devices.get(each.device())))
                .toList();
    }

    private static Unanswered unanswered(DeviceUse use, Sample devices, boolean isInUse) {
        String claim = use.claims.stream().filter(each -> each.allocated().stream()
                .anyMatch(has -> devices.names().stream().limit(1).toList().contains(has.device().toString())))
                .map(each -> "ResourceClaim " + each.key() + " has it; ").min(String::compareTo).orElse("");
        return new Unanswered(devices, devices.count() == 0 ? "" : (isInUse ? claim : "") + "why");
    }

    private static Sample devices(DeviceUse use, DevicePredicate predicate) {
        return Sample.of(use.devices.entrySet().stream().filter(e -> predicate.holds(e.getKey(), e.getValue()))
                .map(e -> e.getKey().toString()).toList());
    }

    private static Sample pods(DeviceUse use, Predicate<Pod> predicate) {
        return Sample.of(use.pods.stream().filter(predicate).map(pod -> pod.key().toString()).toList());
    }

    private static int namespaces(DeviceUse use) {
        Set<String> namespaces = new HashSet<>();
        use.pods.stream().filter(pod -> uses(use, pod) && !tolerates(use, pod)).map(Pod::key)
                .map(ObjectKey::namespace).forEach(namespaces::add);
        return namespaces.size();
    }

    private static DeviceUse use(Random random) {
        DeviceUse use = new DeviceUse();
        for (int i = 0; i < 4; i++) {
            use.device("x" + i, one(random, MATCHES), random.nextBoolean());
            for (int taints = random.nextInt(3); taints > 0; taints--) {
                use.driverTaint("x" + i, "other", random.nextBoolean() ? "NoExecute" : "None");
            }
        }
        for (int i = 0; i < 4; i++) {
            use.pod(one(random, List.of("n", "m")) + "/pod" + i, random.nextInt(8) == 0 ? "" : "node-1",
                    random.nextInt(8) == 0, one(random, PHASES));
        }
        for (int i = 0; i < 4; i++) {
            List<Allocated> allocated = new ArrayList<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                allocated.add(with(with(allocated("x" + random.nextInt(5)), one(random, TOLERATIONS)),
                        one(random, TOLERATIONS)));
            }
            String pod = "pod" + random.nextInt(5);
            use.claim(one(random, List.of("n", "m")) + "/claim" + i, allocated, "pod" + random.nextInt(5),
                    random.nextInt(4) == 0 ? pod + ":old" : pod);
        }
        return use;
    }

    private static Allocated with(Allocated allocated, Toleration toleration) {
        List<Toleration> all = new ArrayList<>(allocated.tolerations());
        all.add(toleration);
        return new Allocated(allocated.device(), all);
    }

    private static DeviceUse shuffled(DeviceUse use, Random random) {
        DeviceUse shuffled = new DeviceUse();
        shuffled(use.devices.entrySet(), random).forEach(e -> shuffled.devices.put(e.getKey(), e.getValue()));
        shuffled.driverTaints.putAll(use.driverTaints);
        shuffled.pods.addAll(shuffled(use.pods, random));
        shuffled(use.claims, random).forEach(claim -> shuffled.claims.add(new ResourceClaim(claim.metadata(),
                shuffled(claim.allocated(), random).stream().map(each -> new Allocated(
                        each.device(), shuffled(each.tolerations(), random))).toList(),
                shuffled(claim.reservedFor(), random), shuffled(claim.podGroups(), random))));
        return shuffled;
    }

    private static <T> List<T> shuffled(Iterable<T> all, Random random) {
        List<T> list = new ArrayList<>();
        all.forEach(list::add);
        Collections.shuffle(list, random);
        return list;
    }

    private static <T> T one(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
