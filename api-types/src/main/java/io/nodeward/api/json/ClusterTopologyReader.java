package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * v1beta2 names the ClusterClass in {@code classRef}, v1beta1 in {@code class} and {@code classNamespace}; references to
 * other objects name their group in v1beta2, and group and version in v1beta1.
 */
final class ClusterTopologyReader implements Projection.Reader<ClusterTopology> {
    @Override
    public ClusterTopology read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return parts.topology();
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String classNamespace = "";
        private String className = "";
        private ControlPlaneRef controlPlaneRef = ControlPlaneRef.NONE;
        private List<MachineTaint> controlPlane = List.of();
        private final List<Workers> machineDeployments = new ArrayList<>(0);
        private final List<Workers> machinePools = new ArrayList<>(0);

        ClusterTopology topology() {
            String namespace = classNamespace.isEmpty() ? metadata.key().namespace() : classNamespace;
            return new ClusterTopology(
                    metadata, namespace, className, controlPlaneRef, controlPlane, machineDeployments, machinePools);
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "topology" -> Json.fields(p, this::topologyField);
                case "controlPlaneRef" -> controlPlaneRef = ReferenceReader.read(p, ControlPlaneRef::new);
                default -> p.skipChildren();
            }
        }

        private void topologyField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "classRef" -> Json.fields(p, this::classRefField);
                case "class" -> className = MetadataReader.POOL.text(p);
                case "classNamespace" -> classNamespace = MetadataReader.POOL.text(p);
                case "controlPlane" -> Json.fields(p, this::controlPlaneField);
                case "workers" -> Json.fields(p, this::workersField);
                default -> p.skipChildren();
            }
        }

        private void classRefField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "name" -> className = MetadataReader.POOL.text(p);
                case "namespace" -> classNamespace = MetadataReader.POOL.text(p);
                default -> p.skipChildren();
            }
        }

        private void controlPlaneField(String field, JsonParser p) throws IOException {
            if (field.equals("taints")) {
                controlPlane = MachineTaintReader.list(p);
            } else {
                p.skipChildren();
            }
        }

        private void workersField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "machineDeployments" -> Json.elements(p, element -> machineDeployments.add(workers(element)));
                case "machinePools" -> Json.elements(p, element -> machinePools.add(workers(element)));
                default -> p.skipChildren();
            }
        }

        private static Workers workers(JsonParser p) throws IOException {
            String[] texts = {"", ""};
            List<MachineTaint> taints = new ArrayList<>(0);
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "name" -> texts[0] = MetadataReader.POOL.text(value);
                    case "class" -> texts[1] = MetadataReader.POOL.text(value);
                    case "taints" -> taints.addAll(MachineTaintReader.list(value));
                    default -> value.skipChildren();
                }
            });
            return new Workers(texts[0], texts[1], taints);
        }
    }
}
