package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The objects of a cluster in the tests of {@link DedicatedState}. What changes one of them returns the keys that listeners would add. */
final class DedicatedWorld {
    private static final List<String> NODES = List.of("n0", "n1", "n2", "n3", "n4");
    private static final List<String> NAMESPACES = List.of("x", "y", "z");

    final Map<ObjectKey, CustomResource<DedicatedNodes>> groups = new TreeMap<>();
    final Map<ObjectKey, Node> nodes = new TreeMap<>();
    final Map<ObjectKey, LabeledNamespace> namespaces = new TreeMap<>();
    final Map<ObjectKey, CandidatePod> pods = new TreeMap<>();
    final Map<ObjectKey, DaemonTemplate> daemons = new TreeMap<>();
    /** Called when the labels of a namespace have changed. */
    Runnable labelsChanged = () -> {};
    private final Random random;

    DedicatedWorld(Random random) {
        this.random = random;
    }

    DedicatedState.View view() {
        return new DedicatedState.View(key -> find(groups, key), key -> find(nodes, key),
                () -> daemons.values().stream(),
                key -> find(daemons, key), () -> pods(pod -> true),
                node -> pods(pod -> pod.pod().nodeName().equals(node)),
                namespace -> pods(pod -> pod.key().namespace().equals(namespace)),
                key -> pods(pod -> tolerates(pod, key)));
    }

    MemberFacts members() {
        return MemberFacts.of(namespaces.values(), ClaimView.NONE, Make.SYSTEM);
    }

    private static <T> Optional<T> find(Map<ObjectKey, T> all, ObjectKey key) {
        return Optional.ofNullable(all.get(key));
    }

    private Stream<CandidatePod> pods(Predicate<CandidatePod> which) {
        return pods.values().stream().filter(which);
    }

    private static boolean tolerates(CandidatePod pod, String key) {
        return pod.pod().tolerations().stream().anyMatch(toleration -> toleration.key().equals(key));
    }

    /** Returns the keys of all objects. */
    List<DedicatedKey> keys() {
        List<DedicatedKey> keys = new ArrayList<>(Stream.of(Kind.values())
                .filter(kind -> kind != Kind.GROUP && kind != Kind.NODE).map(kind -> DedicatedKey.of(kind, ""))
                .toList());
        groups.keySet().forEach(key -> keys.add(new DedicatedKey(Kind.GROUP, key)));
        nodes.keySet().forEach(key -> keys.add(new DedicatedKey(Kind.NODE, key)));
        return keys;
    }

    /** Changes any object, but no status. */
    Set<DedicatedKey> change() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> Set.of(edit(any("a", "b", "c")));
            case 2 -> Set.of(deleteGroup(any("a", "b", "c")));
            case 3, 4, 5 -> Set.of(node(any(NODES)));
            case 6, 7 -> {
                namespace(any(NAMESPACES));
                yield Set.of(DedicatedKey.of(Kind.NAMESPACES_AND_DAEMONS, ""));
            }
            case 8 -> Set.of(daemon());
            default -> pod();
        };
    }

    private String any(String... some) {
        return any(List.of(some));
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private String[] some(List<String> all) {
        return all.stream().filter(each -> random.nextBoolean()).toArray(String[]::new);
    }

    private DedicatedKey edit(String name) {
        Optional<DedicatedNodes> before = find(groups, ObjectKey.clusterScoped(name)).map(CustomResource::spec);
        DedicatedNodesSpec spec = before.isPresent() && random.nextInt(3) == 0
                ? before.get().spec().withEnforcement(any(EnforcementMode.values()))
                : spec(name);
        return group(name, spec, before.flatMap(DedicatedNodes::applied), random.nextInt(4) == 0);
    }

    private <T> T any(T[] some) {
        return some[random.nextInt(some.length)];
    }

    private DedicatedNodesSpec spec(String name) {
        Make make = random.nextInt(6) == 0 ? Make.shared(name) : Make.group(name).who(who());
        make = make.taint("example.com/k" + random.nextInt(4), "v" + random.nextInt(6) / 5,
                random.nextBoolean() ? DedicatedEffect.NoSchedule : DedicatedEffect.NoExecute);
        if (!make.spec().shared()) {
            make = random.nextBoolean() ? make.names(some(NODES)) : make.labelled(Make.selector("pool", any("p", "q")));
            make = random.nextInt(4) == 0 ? make.exclusive() : make;
        }
        return make.mode(random.nextBoolean() ? EnforcementMode.Enforce : any(EnforcementMode.values())).spec();
    }

    private Who who() {
        return random.nextBoolean()
                ? new Who(List.of(some(NAMESPACES)), Optional.empty(), List.of(), Optional.empty(), List.of(),
                        List.of())
                : new Who(List.of(), Optional.of(Make.selector("team", any("s", "t"))), List.of(), Optional.empty(),
                        List.of(), List.of());
    }

    /** Writes a group and its status. */
    DedicatedKey group(
            String name, DedicatedNodesSpec spec, Optional<DedicatedNodesSpec> applied, boolean refusesDaemonSets) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        groups.put(key, new CustomResource<>(metadata(key, Map.of(), refusesDaemonSets
                ? Map.of(DedicatedAnnotations.REFUSE_DAEMON_SETS, "true")
                : Map.of()), 1, new DedicatedNodes(spec, applied), List.of()));
        return new DedicatedKey(Kind.GROUP, key);
    }

    /** Writes what is established to the status. */
    DedicatedKey record(Resolved resolved) {
        return group(resolved.declared().name(), resolved.declared().desired(), resolved.established(),
                resolved.declared().refusesDaemonSets());
    }

    /** What was in force of a group is remembered, which a state from scratch does not: such a group is not deleted. */
    private DedicatedKey deleteGroup(String name) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        groups.computeIfPresent(key, (any, group) -> group.spec().applied().isPresent() ? group : null);
        return new DedicatedKey(Kind.GROUP, key);
    }

    private DedicatedKey node(String name) {
        if (random.nextInt(5) == 0) {
            nodes.remove(ObjectKey.clusterScoped(name));
            return DedicatedKey.of(Kind.NODE, name);
        }
        return node(name, any("p", "q", ""), random.nextInt(4) == 0
                ? List.of(Taint.of("example.com/k" + random.nextInt(4), "v0", "NoSchedule"))
                : List.of());
    }

    DedicatedKey node(String name, String pool, List<Taint> taints) {
        nodes.put(ObjectKey.clusterScoped(name),
                Make.node(name, Map.of("pool", pool), Map.of(), taints.toArray(Taint[]::new)));
        return DedicatedKey.of(Kind.NODE, name);
    }

    private void namespace(String name) {
        if (random.nextInt(4) == 0) {
            namespaces.remove(ObjectKey.clusterScoped(name));
            labelsChanged.run();
        } else {
            namespace(name, any("s", "t", "u"));
        }
    }

    void namespace(String name, String team) {
        namespaces.put(ObjectKey.clusterScoped(name), LabeledNamespace.of(
                metadata(ObjectKey.clusterScoped(name), Map.of("team", team), Map.of())));
        labelsChanged.run();
    }

    private DedicatedKey daemon() {
        ObjectKey key = new ObjectKey(any(NAMESPACES), "d");
        CandidatePod template = Make.pod(key.toString(), "", tolerations());
        daemons.put(key, new DaemonTemplate(metadata(key, Map.of(), Map.of()), template, Tree.ABSENT));
        return DedicatedKey.of(Kind.NAMESPACES_AND_DAEMONS, "");
    }

    private Toleration[] tolerations() {
        return switch (random.nextInt(4)) {
            case 0 -> new Toleration[]{Toleration.exists("", "")};
            case 1, 2 -> new Toleration[]{Toleration.equalTo("example.com/k" + random.nextInt(4), "v0", "")};
            default -> new Toleration[]{};
        };
    }

    private Set<DedicatedKey> pod() {
        String key = any(NAMESPACES) + "/p" + random.nextInt(3);
        CandidatePod after = random.nextInt(4) == 0
                ? Make.daemon(key, any(NODES), tolerations())
                : Make.pod(key, any("", any(NODES)), tolerations());
        if (random.nextInt(4) == 0) {
            pods.remove(after.key());
        } else {
            pods.put(after.key(), after);
        }
        return Set.of(DedicatedKey.of(Kind.PODS, ""));
    }

    private static Metadata metadata(ObjectKey key, Map<String, String> labels, Map<String, String> annotations) {
        return new Metadata(key, "u-" + key, "7", labels, annotations, List.of(), false);
    }
}
