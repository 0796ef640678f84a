package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.topology.ListModel;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.TaintList;
import io.nodeward.core.runtime.controller.TaintListUpdate;
import io.nodeward.core.runtime.controller.TaintListUpdate.Method;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.Faults;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.ApiFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Objects with declared taints, as a server has them: who owns which, and writes that may fail. */
final class FakeTaintLists implements ObjectWriter {
    private final Map<String, FakeStore<TaintHolder>> stores;
    private final Faults faults;
    private final Consumer<TaintHolder> somebody;
    private final Map<String, ListModel> lists = new HashMap<>();
    private int writes;

    /**
     * @param stores by kind
     * @param somebody changes an object in the moment of a write
     */
    FakeTaintLists(Map<String, FakeStore<TaintHolder>> stores, Faults faults, Consumer<TaintHolder> somebody) {
        this.stores = stores;
        this.faults = faults;
        this.somebody = somebody;
    }

    /** Objects of which the server has made a change. */
    int writes() {
        return writes;
    }

    /** A new object without taints. */
    void create(String kind, Metadata metadata) {
        lists.put(id(kind, metadata.key()), new ListModel());
        store(kind).put(new TaintHolder(metadata, "c", List.of(), List.of(), List.of(), 0));
    }

    /** Somebody writes to the list of an object. */
    void change(String kind, ObjectKey key, Consumer<ListModel> write) {
        store(kind).get(key).ifPresent(object -> {
            ListModel list = list(kind, key);
            write.accept(list);
            TaintHolder seen = list.seen();
            store(kind).put(new TaintHolder(
                    object.metadata(), object.clusterName(), seen.taints(), seen.owners(), object.conditions(), 0));
        });
    }

    private ListModel list(String kind, ObjectKey key) {
        return lists.computeIfAbsent(id(kind, key), id -> new ListModel());
    }

    private static String id(String kind, ObjectKey key) {
        return kind + " " + key;
    }

    private FakeStore<TaintHolder> store(String kind) {
        return Optional.ofNullable(stores.get(kind)).orElseThrow();
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        TaintListUpdate update = (TaintListUpdate) change;
        ObjectKey key = update.list().found().key();
        Fault fault = faults.next(false);
        fault.failBefore(faults);
        if (fault == Fault.CONFLICT) {
            store(update.kind()).get(key).ifPresent(somebody);
        }
        Optional<TaintHolder> held = store(update.kind()).get(key);
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        if (!held.get().sameVersion(update.list().found())) {
            return outdated(update.list(), store(update.kind()));
        }
        change(update.kind(), key, list -> write(list, update));
        writes++;
        fault.failAfter(faults);
        awaitSeen(update.list(), store(update.kind()));
        return new Applied.Written();
    }

    private static void write(ListModel list, TaintListUpdate update) {
        List<MachineTaint> taints = update.taints();
        if (update.method() == Method.REPLACE) {
            list.update(update.manager(), taints);
        } else {
            list.apply(update.manager(), taints, update.method() == Method.APPLY_FORCED);
        }
    }

    /** The watch brings something newer before the writer goes on. */
    private static Applied outdated(TaintList list, FakeStore<TaintHolder> store) {
        boolean more = true;
        while (more && list.cache().get(list.found().key()).filter(list.found()::sameVersion).isPresent()) {
            more = store.deliver();
        }
        ApiFailure conflict = Faults.failure(409, "Conflict");
        return new Applied.Outdated(conflict);
    }

    private static void awaitSeen(TaintList list, FakeStore<TaintHolder> store) {
        String version = store.get(list.found().key()).orElseThrow().metadata().resourceVersion();
        boolean more = true;
        while (more && list.cache().get(list.found().key())
                .filter(seen -> ResourceVersions.isOlder(seen.metadata().resourceVersion(), version)).isPresent()) {
            more = store.deliver();
        }
    }
}
