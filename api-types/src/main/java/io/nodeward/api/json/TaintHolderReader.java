package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads an object of any kind that has its declared taints in one place, and who owns what of them. */
final class TaintHolderReader implements Projection.Reader<TaintHolder> {
    private final List<String> path;
    private final TaintOwnerReader owners;

    /** @param alsoOwned where other versions of the kind have the list */
    TaintHolderReader(TaintPlace place, TaintPlace... alsoOwned) {
        List<TaintPlace> places = new ArrayList<>(List.of(alsoOwned));
        places.add(place);
        this.path = place.path();
        this.owners = new TaintOwnerReader(places);
    }

    @Override
    public TaintHolder read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new TaintHolder(parts.metadata, parts.clusterName, parts.taints, parts.found, parts.conditions,
                parts.replicas);
    }

    private final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private List<MachineTaint> taints = List.of();
        private List<TaintOwner> found = List.of();
        private String clusterName = "";
        private int replicas;
        private final List<Condition> conditions = new ArrayList<>(0);

        // Every place of taints is somewhere in spec.
        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::metadataField);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            if (field.equals("clusterName")) {
                clusterName = MetadataReader.POOL.text(p);
            } else {
                at(1, field, p);
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            if (field.equals("replicas")) {
                replicas = Math.clamp(Json.integer(p), 0, Integer.MAX_VALUE);
            } else {
                ConditionReader.own(field, p, conditions::add);
            }
        }

        private void metadataField(String field, JsonParser p) throws IOException {
            if (field.equals("managedFields")) {
                found = owners.read(p);
            } else {
                p.skipChildren();
            }
        }

        private void at(int depth, String field, JsonParser p) throws IOException {
            if (!field.equals(path.get(depth))) {
                p.skipChildren();
            } else if (depth + 1 == path.size()) {
                taints = MachineTaintReader.list(p);
            } else {
                Json.fields(p, (next, value) -> at(depth + 1, next, value));
            }
        }
    }
}
