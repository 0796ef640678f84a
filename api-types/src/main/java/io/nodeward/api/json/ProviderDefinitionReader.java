package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Of a CustomResourceDefinition, most of which is schema, next to nothing is kept. */
final class ProviderDefinitionReader implements Projection.Reader<ProviderDefinition> {
    @Override
    public ProviderDefinition read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new ProviderDefinition(
                contracts(parts.metadata), parts.group, parts.kind, parts.plural, parts.places);
    }

    private static Metadata contracts(Metadata metadata) {
        Map<String, String> labels = new HashMap<>(metadata.labels());
        labels.keySet().removeIf(label -> !label.startsWith(ClusterApi.GROUP + "/"));
        return new Metadata(metadata.key(), metadata.uid(), metadata.resourceVersion(), labels, Map.of(), List.of(),
                metadata.deleting());
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String group = "";
        private String kind = "";
        private String plural = "";
        private final Map<String, Set<TaintPlace>> places = new HashMap<>(4);

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "group" -> group = MetadataReader.POOL.text(p);
                case "names" -> Json.fields(p, this::nameField);
                case "versions" -> Json.elements(p, this::version);
                default -> p.skipChildren();
            }
        }

        private void nameField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "kind" -> kind = MetadataReader.POOL.text(p);
                case "plural" -> plural = MetadataReader.POOL.text(p);
                default -> p.skipChildren();
            }
        }

        private void version(JsonParser p) throws IOException {
            Version version = new Version();
            Json.fields(p, version::field);
            if (version.served) {
                places.put(version.name, version.places);
            }
        }
    }

    private static final class Version {
        private String name = "";
        private boolean served;
        private final Set<TaintPlace> places = EnumSet.noneOf(TaintPlace.class);

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "name" -> name = MetadataReader.POOL.text(p);
                case "served" -> served = Json.isTrue(p);
                case "schema" -> Json.fields(p, this::schemaField);
                default -> p.skipChildren();
            }
        }

        private void schemaField(String field, JsonParser p) throws IOException {
            if (field.equals("openAPIV3Schema")) {
                object(List.of(TaintPlace.values()), 0, p);
            } else {
                p.skipChildren();
            }
        }

        /** A part of the schema that these places have so many fields of their paths on the way to. */
        private void object(List<TaintPlace> within, int depth, JsonParser p) throws IOException {
            Json.fields(p, (field, value) -> {
                if (field.equals("properties")) {
                    Json.fields(value, (property, schema) -> property(within, depth, property, schema));
                } else {
                    value.skipChildren();
                }
            });
        }

        private void property(List<TaintPlace> within, int depth, String property, JsonParser p) throws IOException {
            List<TaintPlace> on = new ArrayList<>(within);
            on.removeIf(place -> place.path().size() <= depth || !place.path().get(depth).equals(property));
            on.stream().filter(place -> place.path().size() == depth + 1).forEach(places::add);
            if (on.isEmpty()) {
                p.skipChildren();
            } else {
                object(on, depth + 1, p);
            }
        }
    }
}
