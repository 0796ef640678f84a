package io.nodeward.core.rules.dedicated;

/**
 * A group whose Node is planned.
 *
 * @param noExecute whether the Node may get its NoExecute now; until it may, NoSchedule stands in for it, and a NoExecute
 *     that is there stays
 */
public record Placed(Group group, boolean noExecute) {}
