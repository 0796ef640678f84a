package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.core.Lease;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

final class LeaseReader implements Projection.Reader<Lease> {
    @Override
    public Lease read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new Lease(parts.metadata, parts.holder, parts.durationSeconds, parts.renewTime);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String holder = "";
        private int durationSeconds;
        private Optional<Instant> renewTime = Optional.empty();

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "holderIdentity" -> holder = Json.text(p);
                case "leaseDurationSeconds" -> durationSeconds = Json.number(p);
                case "renewTime" -> renewTime = instant(Json.text(p));
                default -> p.skipChildren();
            }
        }

        private static Optional<Instant> instant(String text) {
            try {
                return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
    }
}
