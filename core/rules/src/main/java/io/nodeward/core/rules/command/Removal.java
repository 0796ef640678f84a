package io.nodeward.core.rules.command;

import io.nodeward.api.node.Taint;

/**
 * Taints that are to go, whatever their values.
 *
 * @param effect empty: any effect
 */
public record Removal(String key, String effect) {
    /** Whether such a taint is to go. */
    public boolean matches(Taint taint) {
        return key.equals(taint.key()) && (effect.isEmpty() || effect.equals(taint.effect()));
    }

    /** {@code key} or {@code key:effect}. */
    @Override
    public String toString() {
        return effect.isEmpty() ? key : key + ":" + effect;
    }
}
