package io.nodeward.core.rules.capacity;

import io.nodeward.core.rules.validation.NodeAcceptance;
import java.util.Optional;

/** Labels as the autoscaler reads them: it checks neither key nor value, and skips only what has no equals sign. */
final class LabelText implements Syntax {
    static Entry of(String key, String value) {
        return new Entry(key, value, key + "=" + value);
    }

    @Override
    public Optional<Entry> read(String text) {
        int equals = text.indexOf('=');
        return equals < 0
                ? Optional.empty()
                : Optional.of(new Entry(text.substring(0, equals), text.substring(equals + 1), text));
    }

    @Override
    public String canonical(Entry entry) {
        return entry.id() + "=" + entry.value();
    }

    @Override
    public boolean isWritable(Entry entry) {
        return NodeAcceptance.isQualifiedName(entry.id()) && NodeAcceptance.isLabelValue(entry.value());
    }

    @Override
    public String form() {
        return "key=value";
    }
}
