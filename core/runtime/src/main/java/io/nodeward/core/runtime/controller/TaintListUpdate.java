package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of the taints that an object declares.
 *
 * @param taints that are written, as the method says
 * @param manager the field manager whose share of the list changes: one controller may have several
 */
public record TaintListUpdate(TaintList list, Method method, List<MachineTaint> taints, String manager)
        implements ObjectChange {
    public TaintListUpdate {
        taints = List.copyOf(taints);
    }

    /** How taints are written. */
    public enum Method {
        /** The list is as it should be. */
        NONE,
        /** Server-side apply of these taints and nothing else. */
        APPLY,
        /** The same, and fields are taken back that others have set to something else. */
        APPLY_FORCED,
        /** A merge patch that puts these taints in the place of all that are there. */
        REPLACE
    }

    @Override
    public boolean isEmpty() {
        return method == Method.NONE;
    }

    @Override
    public String kind() {
        return list.kind().kind();
    }

    @Override
    public String name() {
        return list.found().key().toString();
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("manager", manager);
        fields.put("taints", taints);
        return fields;
    }

    /** Without the object: the status is of an object above, and names it among others. */
    @Override
    public Blocked refused(ApiFailure failure) {
        return Blocked.refused("TaintsRejected", "the write was", failure);
    }

    @Override
    public Blocked undone(String message) {
        return new Blocked("DriftRecurring", message);
    }
}
