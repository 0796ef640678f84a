package io.nodeward.api.meta;

/**
 * Something that a plan left out or repaired, for an Event.
 *
 * @param reason one UpperCamelCase word, the same in Events and conditions
 * @param leftOut whether something that is declared is not in effect for it: that blocks the owner
 * @param ofMember whether it is one of the owner's members that something is wrong with, and not what is declared for all
 */
public record Finding(String reason, String message, boolean leftOut, boolean ofMember) {}
