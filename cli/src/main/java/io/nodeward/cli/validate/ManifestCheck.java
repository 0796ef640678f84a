package io.nodeward.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Place;
import io.nodeward.cli.validate.StructuralSchema.Fault;
import io.nodeward.core.rules.command.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds in objects of Cluster API, of its providers and of Nodeward what a server refuses, or what comes to no Machine. What the
 * cluster's own CRDs do not allow is an error; what only the shipped ones do not allow, a warning.
 */
public final class ManifestCheck {
    /** The kinds that each release of a group has, by group. Without one of them, not all CRDs of the group are there. */
    private static final Map<String, Set<String>> ALWAYS = Map.of(
            ClusterApi.GROUP, Set.of("Cluster", "MachineDeployment", "MachineSet", "Machine"),
            DedicatedNodes.DEFINITION.group(), Set.of("DedicatedNodes", "DeviceTaintRule", "DeviceTaintSlice"));

    private final Map<String, Map<String, JsonNode>> own = new HashMap<>();
    private final Map<String, ShippedDefinitions> shipped = new HashMap<>();

    /** @param objects CRDs of the cluster, and others; of two of a kind the first counts */
    public ManifestCheck(Stream<Manifest> objects) {
        objects.filter(Manifest::isDefinition).map(crd -> crd.json().path("spec"))
                .forEach(crd -> own.computeIfAbsent(crd.path("group").asText(), group -> new HashMap<>())
                        .putIfAbsent(crd.at("/names/kind").asText(), crd));
    }

    public List<Finding> findings(Manifest manifest) {
        List<Finding> findings = new ArrayList<>();
        if (manifest.hasKnownGroup()) {
            bySchema(manifest, findings);
            lostTaints(manifest).forEach(findings::add);
        }
        return findings;
    }

    private void bySchema(Manifest manifest, List<Finding> findings) {
        Manifest.Id id = manifest.id();
        Map<String, JsonNode> owns = own.getOrDefault(id.group(), Map.of());
        JsonNode crd = owns.get(id.kind());
        if (crd != null && (version(crd, manifest).isEmpty() || version(crd, manifest).get().has("schema"))) {
            faults(manifest, crd).forEach(
                    fault -> findings.add(new Finding(manifest, true, fault.field(), fault.message())));
            return;
        }
        ShippedDefinitions known = shipped.computeIfAbsent(id.group(), ShippedDefinitions::of);
        JsonNode other = known.kinds().get(id.kind());
        String release = " (in " + known.release() + ")";
        if (other != null && (crd == null || version(other, manifest).isPresent())) {
            faults(manifest, other).forEach(
                    fault -> findings.add(new Finding(manifest, false, fault.field(), fault.message() + release)));
        } else if (crd == null && ALWAYS.containsKey(id.group())) {
            boolean complete = owns.keySet().containsAll(ALWAYS.get(id.group()));
            Set<String> kinds = complete ? owns.keySet() : known.kinds().keySet();
            findings.add(new Finding(manifest, complete, "kind", id.group() + " has no " + id.kind()
                    + Nearest.hint(id.kind(), new TreeSet<>(kinds)) + (complete ? "" : release)));
        }
    }

    /** Returns the schema of the kind in this version, by the cluster's own CRD, or else by the shipped one; missing without any. */
    public JsonNode schema(Manifest manifest) {
        Manifest.Id id = manifest.id();
        return Stream.of(own.getOrDefault(id.group(), Map.of()),
                shipped.computeIfAbsent(id.group(), ShippedDefinitions::of).kinds())
                .flatMap(kinds -> Optional.ofNullable(kinds.get(id.kind())).flatMap(crd -> version(crd, manifest))
                        .stream())
                .map(version -> version.at("/schema/openAPIV3Schema")).filter(schema -> !schema.isMissingNode())
                .findFirst().orElseGet(MissingNode::getInstance);
    }

    private static Collection<Fault> faults(Manifest manifest, JsonNode crd) {
        return version(crd, manifest).map(version -> StructuralSchema.faults(manifest.json(), version))
                .orElseGet(() -> List.of(new Fault("apiVersion", manifest.id().kind() + " is served in "
                        + served(crd).map(version -> version.path("name").asText()).sorted(Comparator.reverseOrder())
                                .collect(Collectors.joining(", "))
                        + ", not in " + manifest.version())));
    }

    private static Optional<JsonNode> version(JsonNode crd, Manifest manifest) {
        return served(crd).filter(version -> version.path("name").asText().equals(manifest.version())).findFirst();
    }

    private static Stream<JsonNode> served(JsonNode crd) {
        return crd.path("versions").valueStream().filter(version -> version.path("served").asBoolean());
    }

    /** Annotations of a MachineDeployment itself, which a topology may have given it, and which Machines do not get. */
    private static Stream<Finding> lostTaints(Manifest manifest) {
        JsonNode json = manifest.json();
        if (!manifest.id().group().equals(ClusterApi.GROUP) || !manifest.id().kind().equals("MachineDeployment")
                || json.at("/metadata/labels").has(ClusterApi.TOPOLOGY_OWNED_LABEL)) {
            return Stream.empty();
        }
        JsonNode inTemplate = json.at("/spec/template/metadata/annotations");
        return json.at("/metadata/annotations").propertyStream().map(Map.Entry::getKey)
                .filter(key -> key.startsWith(TaintAnnotations.PREFIX) && !inTemplate.has(key))
                .map(key -> new Finding(manifest, false, Place.field("metadata.annotations", key),
                        "Cluster API carries it to no Machine; spec.template.metadata.annotations is the place"));
    }
}
