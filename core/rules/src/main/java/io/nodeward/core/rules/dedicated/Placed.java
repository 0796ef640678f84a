package io.nodeward.core.rules.dedicated;

/**
 * A group whose Node is planned.
 *
 * @param noExecute whether the Node may get its NoExecute now; until it may, NoSchedule stands in for it, and a NoExecute
 *     that is there stays
 * @param kept whether the Node keeps what it has of the group, and gets no more
 */
public record Placed(Group group, boolean noExecute, boolean kept) {
    public Placed(Group group, boolean noExecute) {
        this(group, noExecute, false);
    }

    /** Returns a group that has been in force, as the Node proves, and of which nothing else says so. */
    public static Placed kept(Group group) {
        return new Placed(group, false, true);
    }
}
