package io.nodeward.controller.topology;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.topology.ListModel;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.simulation.FakeObjects;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.Faults;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Objects with declared taints, as a server has them: who owns which, and writes that may fail. */
final class FakeTaintLists {
    private final Map<String, FakeStore<TaintHolder>> stores;
    private final Map<String, ListModel> lists = new HashMap<>();
    private final FakeObjects<TaintHolder> writer;

    /**
     * @param stores by kind
     * @param somebody changes an object in the moment of a write
     */
    FakeTaintLists(Map<String, FakeStore<TaintHolder>> stores, Faults faults, Consumer<TaintHolder> somebody) {
        this.stores = stores;
        this.writer = new FakeObjects<>(
                this::store, this::written, (store, object) -> somebody.accept(object), faults);
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
            store(kind).put(with(object, list));
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

    FakeObjects<TaintHolder> writer() {
        return writer;
    }

    private TaintHolder written(TaintHolder held, ObjectChange change, String manager) {
        ListModel list = list(change.kind(), held.key());
        if (change.verb() instanceof Verb.Apply apply) {
            list.apply(manager, taints(apply.content()), apply.force());
        } else if (change.verb() instanceof Verb.MergePatch merge) {
            list.update(manager, taints(merge.patch()));
        }
        return with(held, list);
    }

    private static List<MachineTaint> taints(Tree content) {
        return Stream.of(TaintPlace.MACHINE, TaintPlace.TEMPLATE)
                .flatMap(place -> content.at(place.path()).elements().stream())
                .map(taint -> new MachineTaint(taint.at("key").string(), taint.at("value").string(),
                        taint.at("effect").string(), taint.at("propagation").string()))
                .toList();
    }

    private static TaintHolder with(TaintHolder object, ListModel list) {
        TaintHolder seen = list.seen();
        return new TaintHolder(
                object.metadata(), object.clusterName(), seen.taints(), seen.owners(), object.conditions(), 0);
    }
}
