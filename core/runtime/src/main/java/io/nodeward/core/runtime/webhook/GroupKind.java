package io.nodeward.core.runtime.webhook;

/** A kind in any version. */
public record GroupKind(String group, String kind) {}
