package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.io.IOException;
import java.util.List;

final class PodReader implements Projection.Reader<Pod> {
    @Override
    public Pod read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new Pod(parts.metadata, parts.nodeName, parts.tolerations, parts.status[0], parts.status[1],
                parts.tolerations.size() <= KubernetesObject.MOST_ELEMENTS ? List.of() : List.of("spec.tolerations"));
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String nodeName = "";
        private List<Toleration> tolerations = List.of();
        private String[] status = {"", ""};

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> status = Json.pooled(p, Json.NONE, "qosClass", "phase");
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "nodeName" -> nodeName = MetadataReader.POOL.text(p);
                case "tolerations" -> tolerations = TolerationJson.list(p);
                default -> p.skipChildren();
            }
        }
    }
}
