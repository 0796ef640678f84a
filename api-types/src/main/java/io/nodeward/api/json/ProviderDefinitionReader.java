package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads CustomResourceDefinitions, most of which is schema: next to nothing is kept. */
final class ProviderDefinitionReader {
    static final Projection.Reader<ProviderDefinition> DEFINITION =
            new ShapeReader<>(ProviderDefinitionReader::definition, parts());

    private ProviderDefinitionReader() {}

    private static String[] parts() {
        return Stream.concat(
                Stream.of("spec.group", "spec.names.kind", "spec.names.plural", "spec.versions.name",
                        "spec.versions.served"),
                // The type of the list alone: what else its schema has is not read.
                Arrays.stream(TaintPlace.values())
                        .map(place -> "spec.versions." + String.join(".", schema(place)) + ".type"))
                .toArray(String[]::new);
    }

    private static List<String> schema(TaintPlace place) {
        List<String> path = new ArrayList<>(List.of("schema", "openAPIV3Schema"));
        place.path().forEach(field -> path.addAll(List.of("properties", field)));
        return path;
    }

    private static ProviderDefinition definition(Metadata metadata, Tree object) {
        Tree spec = object.at("spec");
        Map<String, Set<TaintPlace>> places = new HashMap<>();
        spec.at("versions").elements().stream().filter(version -> Parts.isTrue(version.at("served")))
                .forEach(version -> places.put(Parts.text(version, "name"), places(version)));
        return new ProviderDefinition(contracts(metadata), Parts.text(spec, "group"),
                Parts.text(spec.at("names"), "kind"), Parts.text(spec.at("names"), "plural"), places);
    }

    private static Set<TaintPlace> places(Tree version) {
        return Arrays.stream(TaintPlace.values()).filter(place -> !version.at(schema(place)).equals(Tree.ABSENT))
                .collect(Collectors.toSet());
    }

    private static Metadata contracts(Metadata metadata) {
        Map<String, String> labels = new HashMap<>(metadata.labels());
        labels.keySet().removeIf(label -> !label.startsWith(ClusterApi.GROUP + "/"));
        return new Metadata(metadata.key(), metadata.uid(), metadata.resourceVersion(), labels, Map.of(), List.of(),
                metadata.deleting());
    }
}
