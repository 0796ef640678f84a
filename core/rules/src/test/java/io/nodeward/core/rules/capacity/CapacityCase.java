package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.capacity.AutoscalerReader.Seen;
import io.nodeward.core.rules.taint.DeclaredTaints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A node group drawn from small sets, so that users' texts, ours and declarations meet often; good and bad alike. */
final class CapacityCase {
    private static final List<String> KEYS = List.of(
            "a", "b", "c", "a", "b", "example.com/gpu", "bad key", "-a", ClusterApi.UNINITIALIZED_TAINT);
    private static final List<String> VALUES = List.of("", "1", "2", "1", "bad value");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");
    private static final List<String> PROPAGATIONS =
            List.of(MachineTaint.ALWAYS, MachineTaint.ALWAYS, MachineTaint.ON_INITIALIZATION, "Sometimes");
    private static final List<String> ODD =
            List.of("", "", "junk here", "a:b:c", " a=1:NoSchedule", "a=1=2:NoSchedule", "a", "a:", "a:Strange", "k=v");

    final CapacityPolicy policy;
    final DeclaredTaints spec;
    final DeclaredTaints annotated;
    final Group before;
    final CapacityPlan plan;
    final Group after;
    private final Random random;

    CapacityCase(long seed) {
        random = Cases.random(seed);
        policy = new CapacityPolicy(random.nextInt(8) > 0, one(List.of(OnInitialization.values())),
                one(List.of(Autoscaler.values())),
                new IgnoredTaints(random.nextBoolean() ? Set.of() : Set.of("a"), Set.of()), false);
        spec = DeclaredTaints.of(taints());
        annotated = DeclaredTaints.annotated(template(), spec);
        Map<String, String> annotations = new TreeMap<>();
        if (random.nextInt(6) > 0) {
            annotations.put(CapacityAnnotations.TAINTS, pieces(List.of()));
        }
        if (random.nextInt(3) > 0) {
            String text = annotations.getOrDefault(CapacityAnnotations.TAINTS, "");
            annotations.put(CapacityAnnotations.TAINTS_TRACKING, pieces(List.of(text.split(","))));
        }
        before = new Group(annotations);
        plan = plan(before);
        after = before.written(plan);
    }

    CapacityPlan plan(Group group) {
        return CapacityTaints.plan(spec, annotated, group.annotations(), policy);
    }

    /** What is to be advertised of what is declared, by key and effect. */
    Map<String, Seen> wanted() {
        Map<String, Seen> wanted = new LinkedHashMap<>();
        declared().flatMap(declared -> declared.usable().stream()).filter(this::isAdvertised)
                .map(this::advertised).forEach(taint -> wanted.putIfAbsent(id(taint), taint));
        return wanted;
    }

    /** What is to be there in the end, by key and effect. */
    Map<String, Seen> expected() {
        Map<String, Seen> users = users();
        Map<String, Seen> expected = wanted();
        expected.replaceAll((id, taint) -> users.getOrDefault(id, taint));
        Set<String> held = declared().flatMap(declared -> declared.held().stream()).filter(this::isAdvertised)
                .map(t -> id(advertised(t))).collect(Collectors.toSet());
        AutoscalerReader.upTo135(before.text()).stream().filter(this::isManaged)
                .filter(taint -> annotated.incomplete() || held.contains(id(taint)))
                .filter(taint -> !users.containsKey(id(taint)) && !wanted().containsKey(id(taint)))
                .filter(taint -> policy.autoscaler() != Autoscaler.READS_SPEC || !isInSpec(taint))
                .forEach(taint -> expected.put(id(taint), taint));
        users.forEach(expected::putIfAbsent);
        return expected;
    }

    /** Users' readable entries, of two for one taint the later. */
    Map<String, Seen> users() {
        Map<String, Seen> users = new LinkedHashMap<>();
        AutoscalerReader.upTo135(before.text()).stream().filter(taint -> !isManaged(taint))
                .forEach(taint -> users.put(id(taint), taint));
        return users;
    }

    /** Whether anything of ours is there or is to be. */
    boolean concerned() {
        return !wanted().isEmpty() || AutoscalerReader.upTo135(before.text()).stream().anyMatch(this::isManaged);
    }

    /** Tracked with this value, or with none at all; of two entries for one taint the later says it. */
    private boolean isManaged(Seen taint) {
        boolean ours = false;
        for (String piece : before.annotations().getOrDefault(CapacityAnnotations.TAINTS_TRACKING, "").split(",")) {
            List<Seen> tracked = AutoscalerReader.upTo135(piece);
            if (!tracked.isEmpty() && id(tracked.get(0)).equals(id(taint)) && EFFECTS.contains(taint.effect())) {
                ours = !piece.contains("=") || tracked.get(0).value().equals(taint.value());
            }
        }
        return ours;
    }

    static String id(Seen taint) {
        return taint.key() + ":" + taint.effect();
    }

    /** Pieces that say something but are skipped, in their order. */
    static List<String> unreadable(String text) {
        return Stream.of((text == null ? "" : text).split(","))
                .filter(piece -> !piece.isEmpty() && AutoscalerReader.upTo135(piece).isEmpty()).toList();
    }

    private Stream<DeclaredTaints> declared() {
        return policy.autoscaler() == Autoscaler.READS_SPEC ? Stream.of(annotated) : Stream.of(spec, annotated);
    }

    private boolean isInSpec(Seen taint) {
        return spec.usable().stream().filter(this::isAdvertised).anyMatch(t -> id(taint).equals(id(advertised(t))));
    }

    /** Those for initialization under a key that is left out of the simulation, if so chosen: of these "a" is one. */
    private Seen advertised(MachineTaint taint) {
        boolean renamed = policy.onInitialization() == OnInitialization.STARTUP
                && taint.propagation().equals(MachineTaint.ON_INITIALIZATION)
                && !policy.ignored().keys().contains(taint.key());
        String word = policy.autoscaler() == Autoscaler.BEFORE_STARTUP_TAINTS ? "ignore" : "startup";
        String prefix = renamed ? word + "-taint.cluster-autoscaler.kubernetes.io/" : "";
        return new Seen(prefix + (renamed ? taint.key().replace('/', '_') : taint.key()), taint.value(),
                taint.effect());
    }

    private boolean isAdvertised(MachineTaint taint) {
        return !taint.propagation().equals(MachineTaint.ON_INITIALIZATION)
                || policy.onInitialization() != OnInitialization.EXCLUDE;
    }

    private List<MachineTaint> taints() {
        List<MachineTaint> taints = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            taints.add(new MachineTaint(one(KEYS), one(VALUES), one(EFFECTS), one(PROPAGATIONS)));
        }
        return taints;
    }

    private Map<String, String> template() {
        Map<String, String> template = new TreeMap<>();
        for (int i = Math.max(0, random.nextInt(6) - 3); i > 0; i--) {
            String text = one(KEYS) + ":" + one(EFFECTS) + (random.nextBoolean() ? "" : ":OnInitialization");
            template.put(TaintAnnotations.PREFIX + one(List.of("a", "b")), random.nextInt(6) == 0 ? "junk" : text);
        }
        return template;
    }

    /** @param known some of which are taken */
    private String pieces(List<String> known) {
        List<String> pieces = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            pieces.add(known.isEmpty() || random.nextInt(3) == 0 ? piece() : one(known));
        }
        return String.join(",", pieces);
    }

    private String piece() {
        String value = one(VALUES);
        return random.nextInt(4) == 0
                ? one(ODD)
                : one(KEYS) + (value.isEmpty() && random.nextBoolean() ? "" : "=" + value) + ":" + one(EFFECTS);
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Override
    public String toString() {
        return policy + "\n spec " + spec.usable() + " held " + spec.held() + "\n annotated " + annotated.usable()
                + " held " + annotated.held() + " incomplete " + annotated.incomplete() + "\n " + before + "\n "
                + plan;
    }
}
