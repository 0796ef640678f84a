package io.nodeward.core.cel;

/**
 * What an expression says of a device, and what that has cost.
 *
 * @param cost as a share of what an evaluation may cost: it ends soon after 1
 */
public record Evaluation(Selection selection, double cost) {}
