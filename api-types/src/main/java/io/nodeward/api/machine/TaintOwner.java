package io.nodeward.api.machine;

import io.nodeward.api.node.TaintId;
import java.util.Map;
import java.util.Set;

/**
 * What one writer owns of an object's list of declared taints, as {@code metadata.managedFields} says. A list that a
 * schema declares as a map has items; of any other the writer owns the whole.
 *
 * @param manager the writer's name
 * @param applied whether by server-side apply; else by any other write
 * @param list whether it owns the list itself: it made the map, or the list is no map
 * @param items fields it owns of each item; {@link #ITEM} for the item itself
 */
public record TaintOwner(String manager, boolean applied, boolean list, Map<TaintId, Set<String>> items) {
    /** In the place of a field's name: the item itself. Who set only some fields of somebody else's item has not this. */
    public static final String ITEM = ".";

    public TaintOwner {
        items = Map.copyOf(items);
    }

    /** Whether it owns anything of the list. */
    public boolean hasShare() {
        return list || !items.isEmpty();
    }

    /** Whether it has put the item there. */
    public boolean ownsItem(TaintId id) {
        return owns(id, ITEM);
    }

    public boolean owns(TaintId id, String field) {
        return items.getOrDefault(id, Set.of()).contains(field);
    }
}
