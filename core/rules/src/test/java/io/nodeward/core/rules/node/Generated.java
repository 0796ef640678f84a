package io.nodeward.core.rules.node;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.taint.Initialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Machines, Nodes and policies drawn from small sets, so that they meet often; good and bad texts alike. */
final class Generated {
    private static final List<String> KEYS = List.of(
            "a", "b", "c", "a-b", "a.b", "a0", "example.com/gpu", "example.com/gpu-2", "boot", "bad key", "a-", "",
            "node.kubernetes.io/not-ready", ClusterApi.UNINITIALIZED_TAINT, ClusterApi.OUTDATED_REVISION_TAINT);
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");
    private static final List<String> VALUES = List.of("", "1", "2", "bad value");
    private static final List<String> LABELS = List.of(
            "node-role.kubernetes.io/worker", "node.cluster.x-k8s.io/a", "node.cluster.x-k8s.io/B",
            "x.node.cluster.x-k8s.io", "sub.node-restriction.kubernetes.io/z", "foo", "example.com/foo",
            ClusterApi.INTERRUPTIBLE_LABEL);
    private static final List<String> PROPAGATIONS =
            List.of(MachineTaint.ALWAYS, MachineTaint.ALWAYS, MachineTaint.ON_INITIALIZATION, "Sometimes");

    private final Random random;

    Generated(long seed) {
        random = Cases.random(seed);
    }

    List<MachineTaint> declared() {
        List<MachineTaint> taints = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String effect = random.nextInt(12) == 0 ? "NoRun" : one(EFFECTS);
            taints.add(new MachineTaint(one(KEYS), one(VALUES), effect, one(PROPAGATIONS)));
        }
        return taints;
    }

    Machine machine(List<MachineTaint> taints) {
        Map<String, String> annotations = labels();
        for (int i = Math.max(0, random.nextInt(8) - 4); i > 0; i--) {
            annotations.put(TaintAnnotations.PREFIX + one(List.of("a", "b", "c")), annotated());
        }
        return Fleet.machine(labels(), annotations, taints);
    }

    private String annotated() {
        String value = one(VALUES);
        String text = one(KEYS) + (value.isEmpty() ? "" : "=" + value) + ":" + one(EFFECTS);
        return switch (random.nextInt(8)) {
            case 0 -> one(List.of("", "a", text + ":Sometimes", ":" + text));
            case 1, 2 -> text + ":OnInitialization";
            default -> text;
        };
    }

    Node node() {
        Map<TaintId, Taint> taints = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            Taint taint = taint();
            taints.put(taint.id(), taint);
        }
        Map<String, String> annotations = new TreeMap<>(labels());
        maybe(annotations, ClusterApi.TAINTS_FROM_MACHINE, entries(KEYS, true));
        if (random.nextInt(3) == 0) {
            annotations.put(TaintAnnotations.TRACKING, entries(KEYS, true));
        }
        maybe(annotations, ClusterApi.LABELS_FROM_MACHINE, entries(LABELS, false));
        maybe(annotations, ClusterApi.ANNOTATIONS_FROM_MACHINE, entries(LABELS, false));
        return Fleet.node(labels(), annotations, taints.values().toArray(Taint[]::new));
    }

    NodePolicy policy() {
        NodePolicy policy = random.nextInt(4) == 0 ? NodePolicy.forMachinePools() : NodePolicy.forMachines();
        List<Pattern> patterns = random.nextBoolean() ? List.of() : List.of(Pattern.compile("fo+$"));
        return policy.withTaints(random.nextInt(5) > 0)
                .withInitialization(one(List.of(Initialization.values())))
                .withBookkeeping(random.nextInt(5) == 0)
                .withAdditional(patterns, patterns);
    }

    private Taint taint() {
        String key = random.nextInt(6) == 0 ? ClusterApi.UNINITIALIZED_TAINT : one(KEYS);
        String value = one(VALUES);
        String effect = one(EFFECTS);
        String json = "{\"later\":[" + random.nextInt() + "],\"effect\":\"" + effect + "\",\"value\":\"" + value
                + "\",\"key\":\"" + key + "\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}";
        return new Taint(key, value, effect, json);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            labels.put(one(LABELS), random.nextBoolean() ? "1" : "");
        }
        return labels;
    }

    private String entries(List<String> keys, boolean effects) {
        List<String> entries = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            String entry = one(keys) + (effects ? ":" + one(EFFECTS) : "");
            entries.add(random.nextInt(8) == 0 ? one(List.of("", " " + entry, "garbage:x:y", entry + ":")) : entry);
        }
        return String.join(",", entries);
    }

    private void maybe(Map<String, String> annotations, String key, String value) {
        if (random.nextInt(3) > 0) {
            annotations.put(key, value);
        }
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
