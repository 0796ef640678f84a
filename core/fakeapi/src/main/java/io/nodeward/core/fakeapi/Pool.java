package io.nodeward.core.fakeapi;

import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.apply.Ownership;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/** One of each set of fields: of thousands of objects made alike, all own the same. */
final class Pool {
    private final Map<FieldSet, WeakReference<FieldSet>> sets = new WeakHashMap<>();

    Ownership shared(Ownership ownership) {
        return new Ownership(ownership.owners().stream().map(o -> o.with(shared(o.fields()))).toList());
    }

    private synchronized FieldSet shared(FieldSet set) {
        WeakReference<FieldSet> there = sets.get(set);
        FieldSet same = there == null ? null : there.get();
        if (same != null) {
            return same;
        }
        FieldSet first = set.sharing(this::shared);
        sets.put(first, new WeakReference<>(first));
        return first;
    }
}
