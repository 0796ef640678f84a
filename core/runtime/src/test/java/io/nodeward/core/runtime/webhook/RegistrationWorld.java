package io.nodeward.core.runtime.webhook;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.NewProcess;
import io.nodeward.core.runtime.simulation.Simulation;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Admission policies of a component, of which another set is wanted now and then, and what others do to them. */
final class RegistrationWorld extends Simulation {
    private static final ManagedObjects OBJECTS = WebhookFixture.OBJECTS;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, FakeStore<StoredObject>> stores = new TreeMap<>();
    private final RegistrationServer server = new RegistrationServer(stores, faults);
    private List<AdmissionPolicyDefinition> wanted = List.of();
    private Runnable changed = () -> {};

    /** An earlier process has left something of each kind behind. */
    RegistrationWorld(Random faults) {
        super(faults);
        OBJECTS.policyKinds().forEach(kind -> {
            FakeStore<StoredObject> store = store(StoredObject::withResourceVersion);
            store.put(new StoredObject(WebhookFixture.json(
                    "{'metadata':{'name':'nodeward-test-old','uid':'old','labels':{'app.kubernetes.io/managed-by':"
                            + "'nodeward','nodeward.io/component':'test','nodeward.io/watch-filter':''}},'spec':{}}")));
            stores.put(kind.plural(), store);
        });
        restart();
    }

    @Override
    protected ReconcileLoop<?> process() {
        NewProcess process = new NewProcess(time, server);
        List<ObjectCache<StoredObject>> caches = new ArrayList<>();
        stores.values().forEach(store -> {
            ObjectCache<StoredObject> cache = new ObjectCache<>();
            store.watch(cache);
            caches.add(cache);
        });
        AdmissionRegistration registration =
                AdmissionRegistration.of(OBJECTS, WebhookFixture.serving(), true).withPolicies(() -> wanted)
                        .withInputs(new Watches(caches));
        ControllerContext context = process.context((change, manager, again) -> {
            throw new AssertionError("it decides on no change: " + change);
        });
        return new WebhookController(registration, process.home(), context).loop();
    }

    /** Brings each change of what is registered, so that the controller watches nothing by itself. */
    private final class Watches implements RegistrationInputs {
        private final List<ObjectCache<StoredObject>> caches;

        Watches(List<ObjectCache<StoredObject>> caches) {
            this.caches = caches;
        }

        @Override
        public void start(Runnable known, Runnable onChange) {
            changed = onChange;
            caches.forEach(cache -> cache.subscribeToChanges((before, after) -> onChange.run()));
            known.run();
        }

        @Override
        public Set<Resource> watched() {
            return new HashSet<>(OBJECTS.policyKinds());
        }
    }

    void want(List<AdmissionPolicyDefinition> policies) {
        wanted = policies;
        changed.run();
    }

    /** Somebody makes a policy another one, or its binding. */
    void edit(Resource kind, String part) {
        FakeStore<StoredObject> store = store(kind);
        store.get(key(part)).ifPresent(object -> store.put(object.edited()));
    }

    void delete(Resource kind, String part) {
        store(kind).delete(key(part));
    }

    void removeLabels(Resource kind, String part) {
        FakeStore<StoredObject> store = store(kind);
        store.get(key(part)).ifPresent(object -> store.put(object.withoutLabels()));
    }

    private FakeStore<StoredObject> store(Resource kind) {
        return Optional.ofNullable(stores.get(kind.plural())).orElseThrow();
    }

    private static ObjectKey key(String part) {
        return ObjectKey.clusterScoped(OBJECTS.name(part));
    }

    /** Nobody tries again what he may not delete until something else is needed. */
    @Override
    protected void touchRejected() {
        if (server.deletionForbidden()) {
            List<AdmissionPolicyDefinition> before = wanted;
            List<AdmissionPolicyDefinition> more = new ArrayList<>(wanted);
            more.add(RegistrationSimulationTest.policy(AdmissionPhase.VALIDATING, "more", "Fail", List.of()));
            want(more);
            settle();
            want(before);
        }
    }

    @Override
    public int writes() {
        return server.writes();
    }

    @Override
    protected List<String> left() {
        Set<String> there = new TreeSet<>();
        stores.forEach((plural, store) -> store.all().forEach(
                object -> there.add(plural + " " + object.key().name() + " " + object.json().path("spec"))));
        Set<String> left = new TreeSet<>();
        wanted.forEach(policy -> {
            left.add(text(policy.phase().policies(), policy.part(), policy.spec()));
            policy.bindings().forEach(binding -> left.add(
                    text(policy.phase().policyBindings(), binding.part(), binding.spec(OBJECTS.name(policy.part())))));
        });
        Set<String> more = new TreeSet<>(there);
        more.removeAll(left);
        left.removeAll(there);
        left.addAll(more);
        return List.copyOf(left);
    }

    private static String text(Resource kind, String part, Map<String, Object> spec) {
        return kind.plural() + " " + OBJECTS.name(part) + " " + MAPPER.valueToTree(new TreeMap<>(spec));
    }

    @Override
    protected String state() {
        StringBuilder state = new StringBuilder();
        stores.forEach((plural, store) -> store.all().forEach(object -> state.append(plural).append(' ')
                .append(object.key()).append(' ').append(object.text()).append('\n')));
        return state.toString();
    }
}
