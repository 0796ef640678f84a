package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Cluster.ControlPlaneRef;
import io.nodeward.api.machine.Cluster.Initialization;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** v1beta2 says how far the cluster is in {@code status.initialization}, v1beta1 in a flag and a condition. */
final class ClusterReader implements Projection.Reader<Cluster> {
    @Override
    public Cluster read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new Cluster(
                parts.metadata, parts.paused, parts.controlPlane, parts.initialization(), parts.conditions);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private boolean paused;
        private ControlPlaneRef controlPlane = ControlPlaneRef.NONE;
        private boolean reported;
        private boolean infrastructure;
        private boolean initialized;
        private final List<Condition> conditions = new ArrayList<>(0);

        Initialization initialization() {
            if (!reported) {
                return Initialization.NOT_REPORTED;
            }
            if (!infrastructure) {
                return Initialization.AWAITING_INFRASTRUCTURE;
            }
            return initialized ? Initialization.INITIALIZED : Initialization.AWAITING_CONTROL_PLANE;
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "paused" -> paused = Json.isTrue(p);
                case "controlPlaneRef" -> controlPlane = ReferenceReader.read(
                        p, (group, kind, name) -> new ControlPlaneRef(kind, name));
                default -> p.skipChildren();
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "phase" -> reported |= !Json.text(p).isEmpty();
                case "infrastructureReady" -> {
                    reported = true;
                    infrastructure |= Json.isTrue(p);
                }
                case "initialization" -> Json.fields(p, this::initializationField);
                case "conditions" -> ConditionReader.each(p, this::condition);
                case "v1beta2" -> Json.fields(p, this::v1beta2Field);
                default -> p.skipChildren();
            }
        }

        private void initializationField(String field, JsonParser p) throws IOException {
            reported = true;
            switch (field) {
                case "infrastructureProvisioned" -> infrastructure |= Json.isTrue(p);
                case "controlPlaneInitialized" -> initialized |= Json.isTrue(p);
                default -> p.skipChildren();
            }
        }

        private void v1beta2Field(String field, JsonParser p) throws IOException {
            if (field.equals("conditions")) {
                ConditionReader.each(p, this::condition);
            } else {
                p.skipChildren();
            }
        }

        private void condition(Condition condition) {
            if (ConditionReader.isOwn(condition)) {
                conditions.add(condition);
                return;
            }
            reported |= !condition.type().contains("/"); // with a domain, it is not Cluster API's own
            initialized |= condition.type().equals("ControlPlaneInitialized") && condition.status().equals("True");
        }
    }
}
