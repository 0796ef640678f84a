package io.nodeward.core.runtime.controller;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One change of each kind, of which a test does not care what it says. */
public final class ObjectChanges {
    private static final ObjectKey KEY = new ObjectKey("ns", "name");
    private static final Metadata METADATA = new Metadata(KEY, "uid", "1", Map.of(), Map.of(), List.of(), false);
    private static final ObjectKind KIND = new ObjectKind("g", "v1", "Kind", "kinds", true);

    private ObjectChanges() {}

    public static NodeUpdate ofNode() {
        return new NodeUpdate(KEY, new Node(METADATA, "", List.of()),
                new NodeChange("name", "1", Optional.empty(), new TreeMap<>(), new TreeMap<>()));
    }

    public static HomeNodeUpdate ofHomeNode() {
        return new HomeNodeUpdate(new ObjectCache<>(), ofNode().before(), ofNode().change(), List.of());
    }

    public static ObjectUpdate ofObject() {
        return ObjectUpdate.create(KIND, KEY, Tree.of(Map.of()));
    }

    public static AnnotationUpdate ofAnnotations() {
        Target target =
                new Target(KIND.resource(), new Event.Regarding("g/v1", "Kind", KEY, "uid", "1"), List.of(), false);
        AnnotatedObjects<PartialObject> objects =
                new AnnotatedObjects<>(new ObjectCache<>(), Projection.METADATA, (before, after) -> after);
        return new AnnotationUpdate(target, objects, Map.of("a", Optional.of("1")), Map.of(),
                new AnnotationUpdate.Wording("advertised", "CapacityRefused"));
    }

    public static TaintListUpdate ofTaints() {
        TaintHolder found = new TaintHolder(METADATA, "c", List.of(), List.of(), List.of(), 0);
        TaintList list = new TaintList(KIND, TaintPlace.TEMPLATE, new ObjectCache<>(), found);
        return new TaintListUpdate(list, TaintListUpdate.Method.APPLY, List.of(), "manager");
    }
}
