package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.DedicatedKey;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import io.nodeward.core.rules.dedicated.DedicatedState;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import io.nodeward.core.runtime.webhook.Webhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Both reconcilers over caches, without threads, clocks and servers: what they decide is carried out by the test. */
final class DedicatedFixture {
    /** Called while a change of a group is in its cache and nobody has heard of it. */
    Runnable meanwhile = () -> {};
    final ObjectCache<CustomResource<DedicatedNodes>> groups = new ObjectCache<>(new Index<>("meanwhile", group -> {
        meanwhile.run();
        return List.of();
    }));
    final ObjectCache<Node> nodes = new ObjectCache<>(DedicatedCaches.MANAGED);
    final ObjectCache<CandidatePod> pods = new ObjectCache<>(DedicatedCaches.ON_NODE,
            DedicatedCaches.OF_NAMESPACE, DedicatedCaches.OF_CLAIM, DedicatedCaches.tolerating(Set.of("kube-system")));
    final ObjectCache<LabeledNamespace> namespaces = new ObjectCache<>();
    final ObjectCache<DaemonTemplate> daemons = new ObjectCache<>();
    final CachedClaims claims = CachedClaims.unwatched();
    private final DedicatedCaches caches = new DedicatedCaches(
            groups, nodes, pods, namespaces, claims, daemons, Set.of("kube-system"));
    /** Called with its key when the state has looked at a group or a Node, and knows nothing of it yet. */
    Consumer<ObjectKey> whileLooking = key -> {};
    /** The pods that somebody has looked at. */
    final Set<ObjectKey> lookedAtPods = new HashSet<>();
    final DedicatedScope scope;
    private final Set<String> concerned = ConcurrentHashMap.newKeySet();
    final Exchange exchange = new Exchange();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    /** Why API servers may not ask about pods. */
    Optional<AdmissionProbe.Unproved> unproved = Optional.of(new AdmissionProbe.Unproved("nobody was asked", false));
    final Evictions evictions;
    final GroupReconciler ofGroups;
    final NodeReconciler ofNodes;
    final PodReconciler ofPods;
    /** Written Events, in order. */
    final List<String> events = new ArrayList<>();
    long now;
    private int version;

    DedicatedFixture(int noExecutePerMinute) {
        this(noExecutePerMinute, PodFeatures.NONE);
    }

    DedicatedFixture(int noExecutePerMinute, PodFeatures features) {
        caches.needed().forEach(cache -> cache.replace(Set.of()));
        scope = new DedicatedScope(caches, watched(caches.view()), features, () -> now, registry);
        scope.holder().whenChanged(keys -> DedicatedKey.objects(Kind.GROUP, keys)
                .forEach(group -> concerned.add(group.name())));
        Pacer<ObjectKey> pacer = new Pacer<>(() -> now);
        DedicatedConfig config = new DedicatedConfig();
        config.noExecutePerMinute = noExecutePerMinute;
        NodeReleases releases =
                new NodeReleases(scope, new Pacer<>(() -> now), config.releasesPerMinute(), registry);
        evictions = new Evictions(features, () -> now);
        ofGroups = new GroupReconciler(scope, exchange, new PreviewMeters(registry, pacer, caches), pacer, releases,
                evictions, (regarding, reason, text) -> events
                        .add(regarding.kind() + " " + regarding.key() + " " + reason + " " + text),
                features, () -> unproved.filter(any -> features.admission()));
        ofNodes = new NodeReconciler(scope, exchange, releases, pacer, config.noExecuteLimit().andThen(
                limit -> new Pacer.Limit(limit.bucket(), limit.perSecond(), limit.burst(), true)));
        ofPods = new PodReconciler(scope);
    }

    private DedicatedState.View watched(DedicatedState.View view) {
        return new DedicatedState.View(key -> looked(key, view.group().apply(key)),
                key -> looked(key, view.node().apply(key)),
                view.daemons(), view.daemon(), () -> counted(view.pods().get()),
                node -> counted(view.onNode().apply(node)), namespace -> counted(view.ofNamespace().apply(namespace)),
                key -> counted(view.tolerating().apply(key)));
    }

    private Stream<CandidatePod> counted(Stream<CandidatePod> some) {
        return some.peek(pod -> lookedAtPods.add(pod.key()));
    }

    /** Fails, as nobody is to ask the API server. */
    static <T> T asked(String name) {
        throw new AssertionError("a request to the API server: " + name);
    }

    Webhook webhook(DedicatedConfig config, String name) {
        LiveObjects live = new LiveObjects(DedicatedFixture::asked, DedicatedFixture::asked, DedicatedFixture::asked,
                () -> asked("claims"), () -> asked("claims"));
        return PodAdmissionModule.webhooks(new PodReviews(scope, live, config.failurePolicy, new PodMeters(registry)),
                new ClaimValidator(scope, live, config.failurePolicy), config).stream()
                .filter(webhook -> webhook.name().equals(name)).findFirst().orElseThrow();
    }

    /** Works off what has changed. Returns the groups that this concerns. */
    Set<String> settle() {
        while (!scope.work().equals(Result.done())) {
            Thread.onSpinWait();
        }
        Set<String> all = Set.copyOf(concerned);
        concerned.clear();
        return all;
    }

    private <T> T looked(ObjectKey key, T found) {
        whileLooking.accept(key);
        return found;
    }

    /** Returns the groups beside each other. */
    Resolution resolution() {
        return scope.resolution(ObjectKey.clusterScoped("any")).orElseThrow();
    }

    Preview preview(String group) {
        return scope.preview(scope.resolved(group).orElseThrow()).orElseThrow();
    }

    void pass(Duration time) {
        now += time.toNanos();
    }

    /** @param spec of maps and lists; enforcement is added and, if it has none, the taint {@code dedicated=NAME} */
    void declare(String name, Map<String, Object> spec, String enforcement, String... effects) {
        Map<String, Object> whole = new HashMap<>(spec);
        whole.putIfAbsent("taint", Map.of("key", "dedicated", "value", name, "effects", List.of(effects)));
        whole.put("enforcement", enforcement);
        Optional<DedicatedNodesSpec> applied =
                groups.get(ObjectKey.clusterScoped(name)).flatMap(group -> group.spec().applied());
        put(name, new DedicatedNodes(DedicatedNodesSpec.of(Tree.of(whole)), applied));
    }

    private void put(String name, DedicatedNodes spec) {
        groups.put(new CustomResource<>(metadata(ObjectKey.clusterScoped(name), Map.of()), version, spec, List.of()));
    }

    /** Deletes the object, as a user does. */
    void delete(String name) {
        groups.remove(groups.get(ObjectKey.clusterScoped(name)).orElseThrow());
    }

    /** Takes the status from the object, as a restore without status does. */
    void loseStatus(String name) {
        put(name, new DedicatedNodes(groups.get(ObjectKey.clusterScoped(name)).orElseThrow().spec().spec(),
                Optional.empty()));
    }

    /** Decides on the group and writes what of the status is read again: what is in force. */
    Decision reconcileGroup(String name) {
        Decision decision = ofGroups.reconcile(ObjectKey.clusterScoped(name));
        switch (decision) {
            case Decision.Blocked blocked -> write(blocked.owner());
            case Decision.InEffect inEffect -> write(inEffect.owner());
            default -> {}
        }
        return decision;
    }

    private void write(Target target) {
        DedicatedNodes group = groups.get(target.regarding().key()).orElseThrow().spec();
        Optional<DedicatedNodesSpec> applied = target.details()
                .map(details -> details.fields().get(DedicatedNodes.APPLIED)).map(DedicatedNodesSpec::of);
        if (!applied.equals(group.applied())) {
            put(target.regarding().key().name(), new DedicatedNodes(group.spec(), applied));
        }
    }

    void node(String name, Map<String, String> labels) {
        nodes.put(new Node(metadata(ObjectKey.clusterScoped(name), labels), "", List.of()));
    }

    /** Returns the Node with these labels in place of its own, besides those that are managed. */
    Node relabelled(Node node, Map<String, String> labels) {
        Map<String, String> all = new HashMap<>(node.metadata().labels());
        all.putAll(labels);
        Metadata before = node.metadata();
        return new Node(new Metadata(node.key(), before.uid(), Integer.toString(++version), all, before.annotations(),
                before.owners(), false), node.providerId(), node.taints());
    }

    Node node(String name) {
        return nodes.get(ObjectKey.clusterScoped(name)).orElseThrow();
    }

    /** Decides on the Node and makes the change, if there is one. */
    Decision.Change reconcileNode(String name) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        Decision.Change change = (Decision.Change) ofNodes.reconcile(key);
        if (!change.change().isEmpty()) {
            Verb.PatchNode update = (Verb.PatchNode) change.change().verb();
            Node after = update.change().applyTo(update.before(), Integer.toString(++version));
            nodes.recordOwnWrite(update.before(), after, after);
        }
        ofNodes.executed(key, change);
        exchange.nodes().report(key, change.owner(), new Outcome.InEffect(change.findings(), change.awaited()));
        return change;
    }

    /** As {@code key=value:Effect}. */
    List<String> taints(String name) {
        return node(name).taints().stream()
                .map(taint -> taint.key() + "=" + taint.value() + ":" + taint.effect()).toList();
    }

    /** That tolerates nothing. */
    void pod(String namespace, String name, String node) {
        pods.put(CandidatePod.of(metadata(new ObjectKey(namespace, name), Map.of()),
                Tree.of(Map.of("nodeName", node)), Tree.of(Map.of("phase", "Running"))));
    }

    /** That runs nowhere yet. Without a key it tolerates all. */
    void tolerating(String namespace, String name, String key, String value) {
        tolerating(namespace, name, key, value, "");
    }

    void tolerating(String namespace, String name, String key, String value, String node) {
        Map<String, Object> toleration = key.isEmpty()
                ? Map.of("operator", "Exists")
                : Map.of("key", key, "value", value);
        pods.put(CandidatePod.of(metadata(new ObjectKey(namespace, name), Map.of()),
                Tree.of(Map.of("tolerations", List.of(toleration), "nodeName", node)),
                Tree.of(Map.of("phase", "Pending"))));
    }

    /** That waits for a claim of this name, and tolerates this. */
    void claiming(String namespace, String name, String claim, Map<String, Object> toleration) {
        claiming(namespace, name, claim, toleration, Map.of());
    }

    void claiming(String namespace, String name, String claim, Map<String, Object> toleration,
            Map<String, String> labels) {
        pods.put(CandidatePod.of(metadata(new ObjectKey(namespace, name), labels),
                Tree.of(Map.of("tolerations", List.of(toleration), "resourceClaims",
                        List.of(Map.of("name", "device", "resourceClaimName", claim)))),
                Tree.of(Map.of("phase", "Pending"))));
    }

    /** That the controller of this DaemonSet has made, and that tolerates this by itself. */
    void podOfDaemon(String namespace, String daemon, String node, String key, String value) {
        ObjectKey owner = new ObjectKey(namespace, daemon);
        Metadata pod = metadata(new ObjectKey(namespace, daemon + "-" + node), Map.of());
        pods.put(CandidatePod.of(
                new Metadata(pod.key(), pod.uid(), pod.resourceVersion(), Map.of(), Map.of(), List.of(
                        new OwnerRef("apps/v1", "DaemonSet", daemon, "uid-" + owner, true)), false),
                Tree.of(Map.of("nodeName", node, "tolerations", List.of(Map.of("key", key, "value", value)))),
                Tree.of(Map.of("phase", "Running"))));
    }

    List<String> allNodes() {
        return nodes.all().stream().map(node -> node.key().name()).toList();
    }

    LabeledNamespace namespace(String name, Map<String, String> labels) {
        LabeledNamespace namespace = LabeledNamespace.of(metadata(ObjectKey.clusterScoped(name), labels));
        namespaces.put(namespace);
        return namespace;
    }

    /** @param template of the pod's spec */
    void daemon(String namespace, String name, Map<String, Object> template) {
        daemon(namespace, name, template, Map.of());
    }

    void daemon(String namespace, String name, Map<String, Object> template, Map<String, String> labels) {
        daemons.put(DaemonTemplate.of(metadata(new ObjectKey(namespace, name), Map.of()), Tree.of(Map.of(
                "template", Map.of("spec", template, "metadata", Map.of("labels", labels)))), Tree.ABSENT));
    }

    /** Of one device. */
    void claim(String namespace, String name, String deviceClass) {
        claims.claims().put(new ClaimedClasses(
                metadata(new ObjectKey(namespace, name), Map.of()), Set.of(Set.of(deviceClass))));
    }

    private Metadata metadata(ObjectKey key, Map<String, String> labels) {
        return new Metadata(key, "uid-" + key, Integer.toString(++version), labels, Map.of(), List.of(), false);
    }

    /** A Node of group g with one pod that would be evicted. */
    void nodeWithPod(String name) {
        nodeWithPod(name, "g");
    }

    void nodeWithPod(String name, String group) {
        node(name, Map.of("pool", group));
        pod("cherry", "of-" + name, name);
    }

    /** Declares a {@link #pool} that may evict so many pods. */
    void confirm(String group, int pods) {
        declare(group, with(pool(group), pods), "Enforce", "NoSchedule", "NoExecute");
        reconcileGroup(group);
    }

    static Map<String, Object> with(Map<String, Object> spec, int confirmedPods) {
        Map<String, Object> more = new HashMap<>(spec);
        more.put("confirmedPods", confirmedPods);
        return more;
    }

    /** The Nodes with this label, for namespace banana. */
    static Map<String, Object> pool(String name) {
        return Map.of("nodes", Map.of("selector", Map.of("matchLabels", Map.of("pool", name))),
                "who", Map.of("namespaces", List.of("banana")));
    }
}
