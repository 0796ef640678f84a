package io.nodeward.controller.topology;

import io.nodeward.api.meta.ObjectKey;

/** An object that declares taints for others below it. */
record SourceObject(TopologyKind kind, ObjectKey key) {}
