package io.nodeward.cli.snapshot;

/**
 * What could not be read.
 *
 * @param kind of the objects, or of the one, as it was asked for
 * @param text what of it, why, and what is not known without it
 */
public record Gap(String kind, String text) {}
