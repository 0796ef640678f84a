package io.nodeward.core.spi;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How the server takes a patch or a new object, and what it answers.
 *
 * @param dryRun check it as any other and store nothing
 * @param fieldValidation what to do with fields that the kind does not have; empty for the server's default
 * @param wholeObject answer with the whole object as it is then, instead of its metadata
 */
public record PatchOptions(boolean dryRun, Optional<FieldValidation> fieldValidation, boolean wholeObject) {
    /** What the server does with a field that the kind does not have, or that is there twice. */
    public enum FieldValidation {
        IGNORE("Ignore"), WARN("Warn"), STRICT("Strict");

        private final String value;

        FieldValidation(String value) {
            this.value = value;
        }
    }

    /** Stored, by the server's default validation, and answered with metadata. */
    public static final PatchOptions NONE = new PatchOptions(false, Optional.empty(), false);

    public PatchOptions withDryRun() {
        return new PatchOptions(true, fieldValidation, wholeObject);
    }

    public PatchOptions withFieldValidation(FieldValidation validation) {
        return new PatchOptions(dryRun, Optional.of(validation), wholeObject);
    }

    public PatchOptions withWholeObject() {
        return new PatchOptions(dryRun, fieldValidation, true);
    }

    /** @param force whether a patch takes over what others manage */
    String query(String fieldManager, boolean force) {
        Map<String, String> query = new TreeMap<>();
        query.put("fieldManager", fieldManager);
        if (dryRun) {
            query.put("dryRun", "All");
        }
        fieldValidation.ifPresent(validation -> query.put("fieldValidation", validation.value));
        if (force) {
            query.put("force", "true");
        }
        return Resource.query(query);
    }
}
