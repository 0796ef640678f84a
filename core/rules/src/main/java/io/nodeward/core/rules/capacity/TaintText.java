package io.nodeward.core.rules.capacity;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.NodeAcceptance;
import java.util.Optional;

/**
 * Taints as the autoscaler reads them: the effect may be any text, and a key alone is a taint without effect. Key and
 * value are checked, so that an entry's parts can be told apart again.
 */
final class TaintText implements Syntax {
    /** The shortest text for it. */
    static Entry of(String key, String value, String effect) {
        String text = key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
        return new Entry(new TaintId(key, effect).toString(), value, text);
    }

    static Taint taint(Entry entry) {
        String key = entry.id().substring(0, entry.id().indexOf(':'));
        return Taint.of(key, entry.value(), effect(entry));
    }

    static String effect(Entry entry) {
        return entry.id().substring(entry.id().indexOf(':') + 1);
    }

    @Override
    public Optional<Entry> read(String text) {
        int colon = text.indexOf(':');
        String effect = colon < 0 ? "" : text.substring(colon + 1);
        String declared = colon < 0 ? text : text.substring(0, colon);
        // Without a colon all of it is the key, and an equals sign is no part of any.
        int equals = colon < 0 ? -1 : declared.indexOf('=');
        String key = equals < 0 ? declared : declared.substring(0, equals);
        String value = equals < 0 ? "" : declared.substring(equals + 1);
        return NodeAcceptance.isQualifiedName(key) && NodeAcceptance.isLabelValue(value) && effect.indexOf(':') < 0
                ? Optional.of(new Entry(new TaintId(key, effect).toString(), value, text))
                : Optional.empty();
    }

    @Override
    public String canonical(Entry entry) {
        int colon = entry.id().indexOf(':');
        return entry.id().substring(0, colon) + "=" + entry.value() + entry.id().substring(colon);
    }

    @Override
    public boolean isWritable(Entry entry) {
        return NodeAcceptance.isEffect(effect(entry));
    }

    @Override
    public String form() {
        return "key[=value]:Effect";
    }
}
