package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.node.TaintId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads {@code metadata.managedFields} for who owns what of a list of declared taints. An object may be written in
 * versions that keep the list in different places: what is owned in any of them counts.
 */
final class TaintOwnerReader {
    private static final String APPLY = "Apply";
    private static final String KEYS = "k:";
    private static final String FIELD = "f:";

    private final Set<String> lists;

    TaintOwnerReader(List<TaintPlace> places) {
        this.lists = places.stream()
                .map(place -> place.path().stream().map(field -> "/" + FIELD + field).collect(Collectors.joining()))
                .collect(Collectors.toSet());
    }

    List<TaintOwner> read(JsonParser p) throws IOException {
        List<TaintOwner> owners = new ArrayList<>(4);
        Json.elements(p, element -> {
            Entry entry = new Entry();
            Json.fields(element, entry::field);
            entry.addTo(owners);
        });
        return owners;
    }

    private final class Entry {
        private String manager = "";
        private boolean applied;
        private String subresource = "";
        private boolean list;
        private final Map<TaintId, Set<String>> items = new HashMap<>(4);

        void addTo(List<TaintOwner> owners) {
            TaintOwner owner = new TaintOwner(manager, applied, list, items);
            if (subresource.isEmpty() && (applied || owner.hasShare())) {
                owners.add(owner);
            }
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "manager" -> manager = MetadataReader.POOL.text(p);
                case "operation" -> applied = Json.text(p).equals(APPLY);
                case "subresource" -> subresource = Json.text(p);
                case "fieldsV1" -> descend("", p);
                default -> p.skipChildren();
            }
        }

        private void descend(String path, JsonParser p) throws IOException {
            Json.fields(p, (step, value) -> {
                String next = path + "/" + step;
                if (lists.contains(next)) {
                    list(value);
                } else if (lists.stream().anyMatch(place -> place.startsWith(next + "/"))) {
                    descend(next, value);
                } else {
                    value.skipChildren();
                }
            });
        }

        private void list(JsonParser p) throws IOException {
            boolean[] leaf = {true};
            Json.fields(p, (step, value) -> {
                leaf[0] = false;
                if (step.equals(TaintOwner.ITEM)) {
                    list = true;
                }
                if (step.startsWith(KEYS)) {
                    items.put(id(step.substring(KEYS.length())), fieldsOf(value));
                } else {
                    value.skipChildren();
                }
            });
            list |= leaf[0];
        }

        private Set<String> fieldsOf(JsonParser p) throws IOException {
            Set<String> fields = new HashSet<>(8);
            Json.fields(p, (step, value) -> {
                fields.add(MetadataReader.POOL.intern(step.startsWith(FIELD) ? step.substring(FIELD.length()) : step));
                value.skipChildren();
            });
            return fields.isEmpty() ? Set.of(TaintOwner.ITEM) : fields;
        }

        /** Texts that no item has if it is not what a server writes: that must not end the watch of a whole kind. */
        private TaintId id(String keys) {
            String[] texts = {"", ""};
            try (JsonParser p = Json.parser(keys)) {
                p.nextToken();
                Json.fields(p, (field, value) -> {
                    switch (field) {
                        case "key" -> texts[0] = MetadataReader.POOL.text(value);
                        case "effect" -> texts[1] = MetadataReader.POOL.text(value);
                        default -> value.skipChildren();
                    }
                });
            } catch (IOException e) {
                return new TaintId("", "");
            }
            return new TaintId(texts[0], texts[1]);
        }
    }
}
