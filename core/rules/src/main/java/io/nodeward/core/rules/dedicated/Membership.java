package io.nodeward.core.rules.dedicated;

import java.util.stream.Stream;

/**
 * What a pod is to a group, or to any of several groups.
 *
 * @param is whether the pod is a member
 * @param byLabels whether the labels of its namespace, which are not known, may make it a member
 * @param byClaims whether claims that are not known yet may change that: make it a member, or take it out of the shared group
 */
public record Membership(boolean is, boolean byLabels, boolean byClaims) {
    static final Membership NONE = new Membership(false, false, false);

    static Membership ofAny(Stream<Membership> all) {
        return all.reduce(NONE, (one, other) -> new Membership(
                one.is || other.is, one.byLabels || other.byLabels, one.byClaims || other.byClaims));
    }

    /**
     * Returns what a pod is to the shared group, if this is what it is to any other enforced group. Claims that are not known may never
     * come: the pod is a member until they make it one of another group.
     */
    static Membership ofShared(Stream<Membership> others) {
        Membership any = ofAny(others);
        return any.is ? NONE : any.byLabels ? any : new Membership(true, false, any.byClaims);
    }

    /** Returns whether the pod is a member, or may be one. */
    public boolean isPossible() {
        return is || byLabels || byClaims;
    }
}
