package io.nodeward.core.runtime.controller;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.ObjectKey;
import java.util.Map;

/** A change of which a test does not care what it says. */
public final class ObjectChanges {
    private static final ObjectKey KEY = new ObjectKey("ns", "name");
    private static final ObjectKind KIND = new ObjectKind("g", "v1", "Kind", "kinds", true);

    private ObjectChanges() {}

    public static ObjectChange ofObject() {
        return ObjectChange.create(KIND, KEY, Tree.of(Map.of()));
    }
}
