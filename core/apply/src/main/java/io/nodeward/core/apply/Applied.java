package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a manager that applies leaves, if nobody else owns what changes or the manager takes that over.
 *
 * @param object with null for each struct and list that has an owner and nothing left in it
 * @param owners of its fields
 * @param conflicts what others own of that which changes
 */
public record Applied(ObjectNode object, Ownership owners, List<ManagedFieldsEntry> conflicts) {
    /**
     * @param live the object that is there, which stays as it is and shares what does not change; empty if there is none
     * @param before who owns what of it
     * @param applier with the time of this request, and without fields
     * @param untouched the fields of the object that the request leaves alone
     */
    public static Applied of(Shape.Fields shape, ObjectNode live, Ownership before, ObjectNode wanted,
            ManagedFieldsEntry applier, List<String> untouched) {
        ManagedFieldsEntry last = before.find(applier).orElse(applier.at(""));
        ObjectNode written = JsonNodeFactory.instance.objectNode().setAll(wanted);
        ManagedFieldsEntry now = applier.with(Claims.of(shape, written.remove(untouched)));
        ObjectNode merged = Merge.of(shape, live, wanted);
        FieldSet owned = before.others(now).map(ManagedFieldsEntry::fields).reduce(now.fields(), FieldSet::plus);
        ObjectNode after = last.fields().isEmpty() ? merged : Prune.of(shape, merged, last.fields(), owned);
        Difference difference = Difference.between(shape, live, after).without(untouched);
        ManagedFieldsEntry own = after.equals(live) ? now.at(last.time()) : now;
        return new Applied(after, before.afterApply(difference, own), before.conflicts(difference, own));
    }
}
