package io.nodeward.e2e.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.DeclaringPlace;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.crd.ShippedCrds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** CRDs of all kinds that declare taints: those Nodeward ships, and of the others the fields that matter. */
final class DeclaringCrds {
    private static final Set<DeclaringKind> SHIPPED = Set.of(DeclaringKind.MACHINE, DeclaringKind.CLUSTER);

    private DeclaringCrds() {}

    static List<JsonNode> all() {
        List<JsonNode> all = new ArrayList<>(ShippedCrds.all());
        JsonNode taints = all.getFirst().findValue("taints");
        for (DeclaringKind kind : DeclaringKind.values()) {
            if (!SHIPPED.contains(kind)) {
                all.add(definition(kind, taints));
            }
        }
        return all;
    }

    private static JsonNode definition(DeclaringKind kind, JsonNode taints) {
        String singular = kind.kind().toLowerCase(Locale.ROOT);
        ObjectNode definition = (ObjectNode) Json.parse("""
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"%s.%s"},
                 "spec":{"group":"%s","scope":"Namespaced",
                  "names":{"kind":"%s","listKind":"%sList","plural":"%s","singular":"%s"},
                  "versions":[{"name":"v1beta2","served":true,"storage":true,"schema":{"openAPIV3Schema":
                   {"type":"object"}}}]}}""".formatted(kind.plural(), kind.group(), kind.group(), kind.kind(),
                kind.kind(), kind.plural(), singular));
        ObjectNode schema =
                (ObjectNode) definition.path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema");
        for (DeclaringPlace place : kind.taints()) {
            put(schema, place, taints);
        }
        return definition;
    }

    private static void put(ObjectNode schema, DeclaringPlace place, JsonNode taints) {
        ObjectNode at = schema;
        List<String> above = place.isInList() ? place.path() : place.path().subList(0, place.path().size() - 1);
        for (String field : above) {
            at = any(at.withObject("/properties/" + field));
        }
        if (place.isInList()) {
            at.put("type", "array").remove("x-kubernetes-preserve-unknown-fields");
            at = any(at.withObject("/items"));
            at.withObject("/properties/" + place.key()).put("type", "string");
            at.withObject("/properties").set(place.below().getLast(), taints);
        } else {
            at.withObject("/properties").set(place.path().getLast(), taints);
        }
    }

    private static ObjectNode any(ObjectNode schema) {
        if (!schema.has("type")) {
            schema.put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
        }
        return schema;
    }
}
