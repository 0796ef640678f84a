package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;

final class ClusterReader implements Projection.Reader<Cluster> {
    @Override
    public Cluster read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        boolean[] paused = {false};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "metadata" -> metadata[0] = MetadataReader.read(value);
                case "spec" -> Json.fields(value, (name, v) -> {
                    if (name.equals("paused")) {
                        paused[0] = Json.isTrue(v);
                    } else {
                        v.skipChildren();
                    }
                });
                default -> value.skipChildren();
            }
        });
        return new Cluster(metadata[0], paused[0]);
    }
}
