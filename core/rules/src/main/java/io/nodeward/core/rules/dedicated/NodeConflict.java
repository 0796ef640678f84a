package io.nodeward.core.rules.dedicated;

/**
 * Why a Node does not have all that a group declares.
 *
 * @param group name of the DedicatedNodes
 * @param message one sentence, without the Node
 */
public record NodeConflict(String group, String message) {}
