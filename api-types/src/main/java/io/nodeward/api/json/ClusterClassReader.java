package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is read is in the same places in v1beta2 and v1beta1. */
final class ClusterClassReader implements Projection.Reader<ClusterClass> {
    @Override
    public ClusterClass read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new ClusterClass(parts.metadata, parts.controlPlane, parts.machineDeployments, parts.machinePools);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private List<MachineTaint> controlPlane = List.of();
        private final Map<String, List<MachineTaint>> machineDeployments = new HashMap<>();
        private final Map<String, List<MachineTaint>> machinePools = new HashMap<>();

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "controlPlane" -> Json.fields(p, this::controlPlaneField);
                case "workers" -> Json.fields(p, this::workersField);
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
                case "machineDeployments" -> Json.elements(p, element -> classOf(machineDeployments, element));
                case "machinePools" -> Json.elements(p, element -> classOf(machinePools, element));
                default -> p.skipChildren();
            }
        }

        private static void classOf(Map<String, List<MachineTaint>> classes, JsonParser p) throws IOException {
            String[] name = {""};
            List<MachineTaint> taints = new ArrayList<>(0);
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "class" -> name[0] = MetadataReader.POOL.text(value);
                    case "taints" -> taints.addAll(MachineTaintReader.list(value));
                    default -> value.skipChildren();
                }
            });
            classes.put(name[0], List.copyOf(taints));
        }
    }
}
