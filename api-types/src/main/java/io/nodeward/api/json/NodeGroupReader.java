package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the three kinds have in common, and who applies their annotations for the autoscaler. */
final class NodeGroupReader implements Projection.Reader<NodeGroup> {
    private static final Set<String> ANNOTATIONS = Set.of(
            CapacityAnnotations.TAINTS, CapacityAnnotations.LABELS, CapacityAnnotations.TAINTS_TRACKING,
            CapacityAnnotations.LABELS_TRACKING);
    private static final String FIELD = "f:";
    /** The manifest, long and in every object that was made with kubectl. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    @Override
    public NodeGroup read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return parts.group();
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private final MachineTemplateReader template = new MachineTemplateReader();
        private String clusterName = "";
        private final Map<String, Set<String>> appliers = new HashMap<>(0);
        private final List<Condition> conditions = new ArrayList<>(0);

        NodeGroup group() {
            String manifest = metadata.annotations().get(LAST_APPLIED);
            if (manifest != null) {
                appliedFrom(manifest);
                metadata = withoutManifest(metadata);
            }
            return new NodeGroup(metadata, clusterName,
                    template.template(), template.infrastructure(), appliers,
                    conditions);
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::metadataField);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> Json.fields(
                        p, (name, value) -> ConditionReader.own(name, value, conditions::add));
                default -> p.skipChildren();
            }
        }

        private void metadataField(String field, JsonParser p) throws IOException {
            if (field.equals("managedFields")) {
                Json.elements(p, this::manager);
            } else {
                p.skipChildren();
            }
        }

        /** What is in the manifest is set again whenever somebody applies it, even if others have changed it meanwhile. */
        private void appliedFrom(String manifest) {
            try (JsonParser p = Json.parser(manifest)) {
                p.nextToken();
                if (p.hasToken(JsonToken.START_OBJECT)) {
                    Json.fields(p, (field, value) -> {
                        if (field.equals("metadata")) {
                            MetadataReader.read(value).annotations().keySet().stream().filter(ANNOTATIONS::contains)
                                    .forEach(name -> applied(name, NodeGroup.CLIENT_SIDE_APPLY));
                        } else {
                            value.skipChildren();
                        }
                    });
                }
            } catch (IOException e) {
                // who put no manifest there applies none
            }
        }

        private static Metadata withoutManifest(Metadata all) {
            Map<String, String> annotations = new TreeMap<>(all.annotations());
            annotations.remove(LAST_APPLIED);
            return new Metadata(all.key(), all.uid(), all.resourceVersion(), all.labels(), annotations, all.owners(),
                    all.deleting());
        }

        private void applied(String annotation, String manager) {
            appliers.computeIfAbsent(annotation.intern(), name -> new HashSet<>()).add(manager);
        }

        private void manager(JsonParser p) throws IOException {
            String[] texts = {"", ""};
            Set<String> owned = new HashSet<>(0);
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "manager" -> texts[0] = MetadataReader.POOL.text(value);
                    case "operation" -> texts[1] = MetadataReader.POOL.text(value);
                    case "fieldsV1" -> below(value, "metadata", metadata -> below(metadata, "annotations",
                            annotations -> Json.fields(annotations, (name, any) -> {
                                any.skipChildren();
                                if (name.startsWith(FIELD) && ANNOTATIONS.contains(name.substring(FIELD.length()))) {
                                    owned.add(name.substring(FIELD.length()));
                                }
                            })));
                    default -> value.skipChildren();
                }
            });
            if (texts[1].equals("Apply")) {
                owned.forEach(name -> applied(name, texts[0]));
            }
        }

        private static void below(JsonParser p, String step, Json.ElementReader reader) throws IOException {
            Json.fields(p, (field, value) -> {
                if (field.equals(FIELD + step)) {
                    reader.read(value);
                } else {
                    value.skipChildren();
                }
            });
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "clusterName" -> clusterName = MetadataReader.POOL.text(p);
                case "template" -> Json.fields(p, template::field);
                default -> p.skipChildren();
            }
        }
    }
}
