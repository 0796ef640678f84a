package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Who owns which fields of one object, in the order of managedFields. Never changes. */
public record Ownership(List<ManagedFieldsEntry> owners) {
    /** Of an object nobody tracks, as after a client has put an empty list there. */
    public static final Ownership UNTRACKED = new Ownership(List.of());

    /** Where an update makes more writers than this, the oldest become one. */
    private static final int MOST_WRITERS = 10;
    private static final String OLDEST = "ancient-changes";
    private static final Comparator<ManagedFieldsEntry> ORDER = Comparator.comparing(ManagedFieldsEntry::operation)
            .thenComparing(ManagedFieldsEntry::time)
            .thenComparing(ManagedFieldsEntry::manager)
            .thenComparing(ManagedFieldsEntry::apiVersion)
            .thenComparing(ManagedFieldsEntry::subresource);

    /** What no entry tells: the server's own business, and what names an object. */
    private static final FieldSet UNTOLD = Objects.requireNonNull(FieldSet.parse(FieldSet.tree(
            """
                    {"f:apiVersion":{},"f:kind":{},"f:metadata":{".":{},"f:name":{},"f:namespace":{},"f:creationTimestamp":{},
                     "f:selfLink":{},"f:uid":{},"f:clusterName":{},"f:generation":{},"f:managedFields":{},"f:resourceVersion":{}}}
                    """)));

    public static Ownership of(List<ManagedFieldsEntry> owners) {
        return owners.isEmpty() ? UNTRACKED
                : new Ownership(owners.stream().filter(o -> !o.fields().isEmpty()).sorted(ORDER).toList());
    }

    public Optional<ManagedFieldsEntry> find(ManagedFieldsEntry writer) {
        return owners.stream().filter(o -> o.isSame(writer)).findFirst();
    }

    /** The entries of all but one. */
    Stream<ManagedFieldsEntry> others(ManagedFieldsEntry writer) {
        return owners.stream().filter(o -> !o.isSame(writer));
    }

    public boolean equalsButTimes(Ownership other) {
        return owners.size() == other.owners.size()
                && owners.stream().allMatch(o -> other.find(o).filter(o::equalsButTime).isPresent());
    }

    /** Who owns what after a write that was no apply: the writer what it changed, nobody what is gone. */
    public Ownership after(Difference difference, ManagedFieldsEntry writer) {
        FieldSet changed = difference.changed().minus(UNTOLD);
        List<ManagedFieldsEntry> all = new ArrayList<>();
        owners.forEach(o -> all.add(o.with(o.fields().minus(changed).minus(difference.gone()))));
        if (!changed.isEmpty()) {
            FieldSet own =
                    all.stream().filter(o -> o.isSame(writer)).map(ManagedFieldsEntry::fields).findFirst().orElse(
                            FieldSet.NONE);
            all.removeIf(o -> o.isSame(writer));
            all.add(writer.with(own.plus(changed)));
        }
        return of(all).withFewerWriters();
    }

    /** What others own of that which an apply changes. */
    List<ManagedFieldsEntry> conflicts(Difference difference, ManagedFieldsEntry applier) {
        return others(applier)
                .map(o -> o.with(o.fields().and(difference.changed())))
                .filter(o -> !o.fields().isEmpty())
                .toList();
    }

    /** Who owns what after an apply: the applier what it claims, the others what it left as it was. */
    Ownership afterApply(Difference difference, ManagedFieldsEntry applier) {
        Stream<ManagedFieldsEntry> rest = others(applier)
                .map(o -> o.with(o.fields().minus(difference.changed()).minus(difference.gone())));
        return of(Stream.concat(rest, Stream.of(applier.with(applier.fields().minus(UNTOLD)))).toList());
    }

    private Ownership withFewerWriters() {
        List<ManagedFieldsEntry> writers = new ArrayList<>(owners.stream().filter(o -> !o.applied()).toList());
        if (writers.size() <= MOST_WRITERS) {
            return this;
        }
        List<ManagedFieldsEntry> all = new ArrayList<>(owners);
        for (int i = 0; writers.size() > MOST_WRITERS && i + 1 < writers.size();) {
            ManagedFieldsEntry old = writers.get(i);
            Optional<ManagedFieldsEntry> next = writers.stream().skip(i + 1L)
                    .filter(o -> o.apiVersion().equals(old.apiVersion()))
                    .findFirst();
            if (next.isEmpty()) {
                i++;
                continue;
            }
            ManagedFieldsEntry one = new ManagedFieldsEntry(OLDEST, false, old.apiVersion(), "", next.get().time(),
                    old.fields().plus(next.get().fields()));
            all.removeAll(List.of(old, next.get()));
            all.add(one);
            writers.remove(next.get());
            writers.set(i, one);
        }
        return of(all);
    }

    /** Writes the same bytes as {@link #json}. */
    public void write(ByteArrayOutputStream out) {
        for (int i = 0; i < owners.size(); i++) {
            out.write(i == 0 ? '[' : ',');
            owners.get(i).write(out);
        }
        out.write(']');
    }

    /** As managedFields. */
    public ArrayNode json() {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        owners.forEach(owner -> json.add(owner.json()));
        return json;
    }

    /**
     * What the managedFields of an edited object make of this: an empty list or one empty entry ends the tracking, entries
     * are taken as they are, nothing or nonsense changes nothing.
     *
     * @param shown the object before the edit
     */
    public Ownership replacedBy(ObjectNode shown, ObjectNode edited) {
        JsonNode managedFields = edited.path("metadata").path("managedFields");
        if (!managedFields.isArray() || managedFields.equals(shown.path("metadata").path("managedFields"))) {
            return this;
        }
        boolean reset = managedFields.isEmpty()
                || managedFields.size() == 1 && managedFields.path(0).isObject() && managedFields.path(0).isEmpty();
        if (reset) {
            return UNTRACKED;
        }
        List<ManagedFieldsEntry> given = new ArrayList<>();
        for (JsonNode entry : managedFields) {
            ManagedFieldsEntry owner = ManagedFieldsEntry.parse(entry);
            if (owner == null) {
                return this;
            }
            given.add(owner);
        }
        return of(given);
    }
}
