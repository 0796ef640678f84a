package io.nodeward.api.machine;

import io.nodeward.api.node.TaintId;

/**
 * A taint declared on an owner of Nodes. Texts are as stored: an object that bypassed validation may hold anything, and
 * rules decide what of it can be used.
 *
 * @param value empty if absent
 * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
 * @param propagation {@link #ALWAYS} or {@link #ON_INITIALIZATION}
 */
public record MachineTaint(String key, String value, String effect, String propagation) {
    public static final String ALWAYS = "Always";
    public static final String ON_INITIALIZATION = "OnInitialization";

    public TaintId id() {
        return new TaintId(key, effect);
    }
}
