package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The objects that a component makes, as they are found later.
 *
 * @param component for logs
 * @param labels that all of them have
 * @param annotations with which they are not another's; one that has none of them may be anybody's
 * @param kinds in the order of deletion
 * @param secret where the Secret among them is, for who may not list those of all namespaces; empty if it is not known
 */
record Labelled(
        String component, Map<String, String> labels, Map<String, String> annotations, List<Resource> kinds,
        Optional<ObjectKey> secret) {
    /** A copy of what is given. */
    Labelled {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        kinds = List.copyOf(kinds);
    }

    /** Of the labels. */
    String selector() {
        return new TreeMap<>(labels).entrySet().stream().map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    /** Whether it has all of the labels. */
    boolean has(Map<String, String> there) {
        return there.entrySet().containsAll(labels.entrySet());
    }

    /** Whether it says that it is another's. */
    boolean isOfAnother(Map<String, String> there) {
        return annotations.entrySet().stream()
                .anyMatch(own -> !there.getOrDefault(own.getKey(), own.getValue()).equals(own.getValue()));
    }

    /** As kubectl takes them, without Secrets. */
    String kindsInText() {
        return kinds.stream().filter(kind -> !kind.equals(Resources.SECRETS))
                .map(kind -> kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group()).distinct()
                .collect(Collectors.joining(","));
    }
}
