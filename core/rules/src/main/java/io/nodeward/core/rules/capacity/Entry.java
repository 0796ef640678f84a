package io.nodeward.core.rules.capacity;

/**
 * One entry of an annotation.
 *
 * @param id what there can be only one of on a Node: key and effect of a taint, key of a label
 * @param text as it stands in the annotation; the same entry may be written in more than one way
 */
record Entry(String id, String value, String text) {}
