package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The objects that a component makes, as they are found later.
 *
 * @param component for logs
 * @param labels that all of them have
 * @param own whether annotations are those of this Nodeward's, and not of another's with the same labels
 * @param kinds in the order of deletion
 * @param optional those of the kinds on which there may be no rights, as it may never have made any
 * @param secret where the Secret among them is, for who may not list those of all namespaces; empty if it is not known
 */
record Labelled(
        String component, Map<String, String> labels, Predicate<Map<String, String>> own, List<Resource> kinds,
        Set<Resource> optional, Optional<ObjectKey> secret) {
    /** A copy of what is given. */
    Labelled {
        labels = Map.copyOf(labels);
        kinds = List.copyOf(kinds);
        optional = Set.copyOf(optional);
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

    /** As kubectl takes them, without Secrets. */
    String kindsInText() {
        return kinds.stream().filter(kind -> !kind.equals(Resources.SECRETS))
                .map(kind -> kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group()).distinct()
                .collect(Collectors.joining(","));
    }
}
