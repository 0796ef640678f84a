package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.machine.TaintsChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;

/**
 * The list of declared taints of one object in the management cluster.
 *
 * @param cache where newer versions of the object appear
 * @param found the version that a change is planned from
 */
public record TaintList(ObjectKind kind, TaintPlace place, ObjectCache<TaintHolder> cache, TaintHolder found) {
    /** A write of these taints, which holds on the version found. */
    public TaintsChange change(List<MachineTaint> taints) {
        return new TaintsChange(kind.resource().apiVersion(), kind.kind(), found.key(),
                found.metadata().resourceVersion(), place, taints);
    }
}
