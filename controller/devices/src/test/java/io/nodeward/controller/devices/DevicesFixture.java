package io.nodeward.controller.devices;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.StateHolder;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The controller over caches, without threads, clocks and servers. */
final class DevicesFixture {
    static final Map<String, Object> ALL = Map.of();
    static final int SERVER_RULES = 3;
    static final int IN_A_SLICE = 10;
    private static final long HEAP = 1 << 30;
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    final ServerRulesFixture server = new ServerRulesFixture();
    /** Called while a change of a rule is in its cache and nobody has heard of it. */
    Runnable meanwhile = () -> {};
    final DeviceCaches caches;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HeapBudget budget = new HeapBudget(HEAP, () -> 0, () -> 0, registry);
    final Devices devices;
    final ServerRules serverRules = new ServerRules(server.versions, SERVER_RULES);
    final Evictions evictions;
    final TaintMeters meters;
    final TaintReconciler reconciler;
    private final Set<String> changed = new TreeSet<>();
    /** How often rules were evaluated together. */
    final AtomicInteger evaluated = new AtomicInteger();
    private final AtomicInteger heard = new AtomicInteger();
    /** Of the time that expressions take: none. */
    LongSupplier ticker = () -> 0;
    /** The monotonic clock. */
    long nanos;
    private int version;
    /** Part of the UIDs of pods: in another, pods of the same names are others. */
    String life = "";

    DevicesFixture() {
        this(new ObjectCache<>(DeviceCaches.OF_DEVICE, DeviceCaches.OF_CONSUMER));
    }

    DevicesFixture(ObjectCache<ResourceClaim> claims) {
        caches = new DeviceCaches(new ObjectCache<>(new Index<>("meanwhile", rule -> {
            meanwhile.run();
            return List.of();
        })), new ObjectCache<>(), new ObjectCache<>(), new ObjectCache<>(budget, DeviceCaches.UNKNOWN), claims,
                new ObjectCache<>(DeviceCaches.OF_GROUP));
        devices = new Devices(caches, DeviceExpressions.of(SelectorFeatures.DEFAULT), SERVER_RULES,
                () -> ticker.getAsLong(), registry);
        evictions = evictions(new Pacer<>(() -> 0), () -> 0, () -> NOW, false);
        meters = new TaintMeters(registry, devices);
        reconciler = reconciler(Kind.RULE, evictions, () -> NOW);
        devices.holder().whenChanged(keys -> {
            DeviceKey.objects(Kind.RULE, keys).forEach(rule -> changed.add(rule.name()));
            evaluated.incrementAndGet();
        });
        devices.holder().whenMail(heard::incrementAndGet);
    }

    Evictions evictions(Pacer<String> pacer, LongSupplier ticker, InstantSource clock, boolean unenforced) {
        return new Evictions(
                devices, serverRules, pacer, new ClaimBackoff(caches, ticker), clock, unenforced);
    }

    TaintReconciler reconciler(Kind kind, Evictions evictions, InstantSource clock) {
        return new TaintReconciler(kind, devices, serverRules, evictions, new Recoveries(() -> nanos), meters, clock);
    }

    /** Returns what is known of a rule that stands for none of the server. */
    Optional<TaintSource> source(String rule) {
        return caches.rules().get(ObjectKey.clusterScoped(rule)).flatMap(found -> devices.source(found, Set.of()));
    }

    /** One whose caches have seen all that there was at the start. */
    static DevicesFixture started() {
        DevicesFixture started = new DevicesFixture();
        started.start();
        return started;
    }

    /** Returns the bytes that are counted for slices. */
    long taken() {
        return Math.round(registry.get("nodeward.heap.taken").gauge().value() * HEAP);
    }

    void start() {
        caches.all().values().forEach(DevicesFixture::sync);
        sync(caches.taintSlices());
    }

    static <T extends KubernetesObject> void sync(ObjectCache<T> cache) {
        cache.replace(cache.all().stream().map(KubernetesObject::key).collect(Collectors.toSet()));
    }

    /** Works off what has changed. Returns the rules that this concerns. */
    Set<String> settle() {
        while (!devices.holder().work().equals(Result.done())) {
            Thread.onSpinWait();
        }
        Set<String> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }

    /** Lets ten expressions take as long as a caller waits for an answer. */
    void slow() {
        ticker = () -> devices.evaluations() * StateHolder.PATIENCE.toNanos() / IN_A_SLICE;
    }

    /** How often somebody has heard since this was called last that there is something to settle. */
    int heard() {
        return heard.getAndSet(0);
    }

    /** With a time, and the effect None. */
    void rule(String name, Map<String, Object> selector) {
        rule(name, Optional.of(selector), Map.of("timeAdded", "2026-01-01T00:00:00Z"));
    }

    void rule(String name, Optional<Map<String, Object>> selector, Map<String, Object> taint) {
        Map<String, Object> whole = new HashMap<>(Map.of("key", "example.com/broken", "effect", "None"));
        whole.putAll(taint);
        Map<String, Object> spec = new HashMap<>(Map.of("taint", whole));
        selector.ifPresent(present -> spec.put("deviceSelector", present));
        put(name, spec);
    }

    void put(String name, Map<String, Object> spec) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        Instant created = caches.rules().get(key).map(CustomResource::created).orElse(Instant.ofEpochSecond(version));
        caches.rules().put(new CustomResource<>(
                metadata(key), version, DeviceTaintRule.of(Tree.of(spec)), List.of(), "{}", created));
    }

    static Map<String, Object> cel(String... expressions) {
        return Map.of("selectors", selectors(expressions));
    }

    static List<Object> selectors(String... expressions) {
        return Stream.of(expressions).<Object>map(text -> Map.of("cel", Map.of("expression", text))).toList();
    }

    void deviceClass(String name, String... expressions) {
        caches.classes().put(DeviceClass.of(metadata(ObjectKey.clusterScoped(name)),
                Tree.of(Map.of("selectors", selectors(expressions)))));
    }

    /** One device of a slice, with these attributes {@code size} and {@code serial}. */
    void sized(String name, String driver, String pool, String device, int size, int serial) {
        published(name, driver, pool, List.of(Map.of("name", device, "attributes",
                Map.of("size", Map.of("int", size), "serial", Map.of("int", serial)))));
    }

    /** Devices x0, x1 and so on. */
    void sized(String name, String driver, String pool, int count, IntUnaryOperator size) {
        published(name, driver, pool, IntStream.range(0, count).<Object>mapToObj(i -> Map.of("name", "x" + i,
                "attributes", Map.of("size", Map.of("int", size.applyAsInt(i))))).toList());
    }

    /** Of which nothing else changes. */
    void labelClass(String name) {
        DeviceClass found = caches.classes().get(ObjectKey.clusterScoped(name)).orElseThrow();
        caches.classes().put(new DeviceClass(labelled(found), found.expressions()));
    }

    void labelClaim(String name) {
        ResourceClaim found = caches.claims().get(new ObjectKey("ns", name)).orElseThrow();
        caches.claims()
                .put(new ResourceClaim(labelled(found), found.allocated(), found.reservedFor(), found.podGroups()));
    }

    private Metadata labelled(KubernetesObject object) {
        Metadata metadata = metadata(object.key());
        return new Metadata(metadata.key(), metadata.uid(), metadata.resourceVersion(), Map.of("a", "label"), Map.of(),
                List.of(), false);
    }

    /** Devices with the attribute {@code model}, each as {@code NAME=VALUE}. */
    void slice(String name, String driver, String pool, String... devices) {
        List<Object> each = Stream.of(devices).map(device -> device.split("=", -1)).<Object>map(parts -> Map.of(
                "name", parts[0], "attributes", Map.of("model", Map.of("string", parts[1])))).toList();
        published(name, driver, pool, each);
    }

    private void published(String name, String driver, String pool, List<Object> devices) {
        published(name, driver, pool, 1, devices);
    }

    void published(String name, String driver, String pool, int generation, List<Object> devices) {
        caches.slices().put(ResourceSlice.of(metadata(ObjectKey.clusterScoped(name)), Tree.ABSENT, Tree.of(Map.of(
                "driver", driver, "pool", Map.of("name", pool, "generation", generation), "nodeName", pool,
                "devices", devices))));
    }

    /** One whose devices are not known, as memory is short. */
    void unknownSlice(String name, String driver, String pool) {
        caches.slices().put(new ResourceSlice(
                metadata(ObjectKey.clusterScoped(name)), driver, pool, 1, 0, pool, Instant.EPOCH,
                List.of(), false));
    }

    /** Of devices of {@code DRIVER/POOL}, each taint as {@code DEVICE:KEY:EFFECT}. */
    void taintSlice(String name, String pool, String... taints) {
        String[] parts = pool.split("/", -1);
        List<Object> entries = Stream.of(taints).map(taint -> taint.split(":", -1)).<Object>map(taint -> Map.of(
                "device", taint[0], "taint", Map.of("key", taint[1], "effect", taint[2]))).toList();
        caches.taintSlices().put(new CustomResource<>(metadata(ObjectKey.clusterScoped(name)), version,
                DeviceTaintSlice.of(Tree.of(Map.of("driver", parts[0], "pool", parts[1], "taints", entries))),
                List.of(), "{}", Instant.ofEpochSecond(version)));
    }

    /** Creates a claim of a device {@code DRIVER/POOL/DEVICE} for the pods; {@code group/NAME} is a PodGroup. */
    void claim(String name, String device, String... pods) {
        claim(name, device, Map.of(), pods);
    }

    void claim(String name, String device, Map<String, Object> toleration, String... pods) {
        String[] parts = device.split("/", -1);
        List<Object> tolerations = toleration.isEmpty() ? List.of() : List.of(toleration);
        List<Object> users = Stream.of(pods).<Object>map(
                pod -> pod.startsWith("group/")
                        ? Map.of("apiGroup", "scheduling.k8s.io", "resource", "podgroups", "name",
                                pod.substring("group/".length()), "uid", "g")
                        : Map.of("resource", "pods", "name", pod, "uid", "uid-ns/" + pod + life))
                .toList();
        caches.claims().put(ResourceClaim.of(metadata(new ObjectKey("ns", name)), Tree.of(Map.of(
                "allocation", Map.of("devices", Map.of("results", List.of(Map.of("request", "r", "driver", parts[0],
                        "pool", parts[1], "device", parts[2], "tolerations", tolerations)))),
                "reservedFor", users))));
    }

    void pod(String name, String node) {
        pod(name, node, "Running", Map.of(), false);
    }

    void pod(String name, String node, String phase, Map<String, String> labels, boolean deleting) {
        ObjectKey key = new ObjectKey("ns", name);
        caches.pods().put(new Pod(new Metadata(key, "uid-" + key + life, Integer.toString(++version), labels, Map.of(),
                List.of(), deleting), node, List.of(), "", phase));
    }

    /** @param claims that it uses as one of the PodGroup */
    void podOf(String group, String name, String... claims) {
        caches.pods().put(new Pod(metadata(new ObjectKey("ns", name)), "node-1", List.of(), "", "Running",
                Optional.of(new PodGroupMember(group, List.of(claims))), List.of()));
    }

    static <T extends KubernetesObject> void remove(ObjectCache<T> cache, String namespace, String name) {
        cache.remove(cache.get(new ObjectKey(namespace, name)).orElseThrow());
    }

    private Metadata metadata(ObjectKey key) {
        return new Metadata(key, "uid-" + key, Integer.toString(++version), Map.of(), Map.of(), List.of(), false);
    }

    Decision reconcile(String rule) {
        return reconciler.reconcile(ObjectKey.clusterScoped(rule));
    }

    StatusDetails shown(String rule) {
        return target(reconcile(rule)).details().orElseThrow();
    }

    /** A number of the status, as {@code devices} or {@code evicted}; empty if it is not there. */
    Optional<Long> count(String rule, String name) {
        StatusDetails details = shown(rule);
        Tree top = details.fields().getOrDefault(name, Tree.ABSENT);
        Tree count = top instanceof Tree.Absent
                ? details.fields().getOrDefault("preview", Tree.ABSENT).at(name).at("count") : top;
        return count.integer().stream().boxed().findFirst();
    }

    static Target target(Decision decision) {
        return switch (decision) {
            case Decision.Blocked blocked -> blocked.owner();
            case Decision.InEffect inEffect -> inEffect.owner();
            case Decision.Change change -> change.owner();
            default -> throw new AssertionError(decision);
        };
    }

    static Optional<Blocked> blocked(Decision decision) {
        return decision instanceof Decision.Blocked blocked ? Optional.of(blocked.by()) : Optional.empty();
    }
}
