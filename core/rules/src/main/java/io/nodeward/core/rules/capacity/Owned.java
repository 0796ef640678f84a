package io.nodeward.core.rules.capacity;

import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.validation.Warning;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The entries that Nodeward wrote, as the tracking annotation says. Their value distinguishes them from users', too: an
 * entry that somebody has changed by hand since is theirs from then on, and wins.
 */
final class Owned {
    /** By id; empty if it is ours whatever its value. */
    private final Map<String, Optional<String>> values = new LinkedHashMap<>();

    /** @param warnings takes what cannot have been written by Nodeward; it says nothing */
    static Owned read(Syntax syntax, String annotation, String text, List<Warning> warnings) {
        Owned owned = new Owned();
        for (String piece : text.split(",", -1)) {
            Optional<Entry> entry = syntax.read(piece).filter(syntax::isWritable);
            if (entry.isPresent()) {
                Optional<String> value =
                        piece.indexOf('=') < 0 ? Optional.empty() : Optional.of(entry.get().value());
                owned.values.put(entry.get().id(), value);
            } else if (!piece.isEmpty()) {
                warnings.add(new Warning(Reason.MALFORMED_TRACKING, "entry \"" + piece + "\" of annotation "
                        + annotation + " names nothing that Nodeward manages and is dropped"));
            }
        }
        return owned;
    }

    boolean has(Entry entry) {
        Optional<String> value = values.get(entry.id());
        return value != null && (value.isEmpty() || value.get().equals(entry.value()));
    }

    Set<String> ids() {
        return values.keySet();
    }
}
