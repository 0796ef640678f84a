package io.nodeward.core.rules.label;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.validation.NodeAcceptance;
import io.nodeward.core.rules.validation.UnusableEntries;
import io.nodeward.core.rules.validation.Warning;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What to do with a Node's labels, or with its annotations: what the owner declares is ensured and recorded in a
 * tracking annotation; what is recorded and no longer declared goes, whatever its value; the rest is unmanaged.
 *
 * @param changes new value by key; an empty Optional removes the key
 * @param tracking the new text of the tracking annotation, empty if it stays as it is
 */
public record MetadataSync(
        SortedMap<String, Optional<String>> changes, Optional<String> tracking, List<Warning> warnings) {

    public static MetadataSync labels(Map<String, String> declared, List<Pattern> additional, Node node) {
        Draft draft = new Draft(
                node, ClusterApi.LABELS_FROM_MACHINE, node.metadata().labels(), LabelDomains::isInterruptible,
                key -> false);
        return draft.plan(declared, key -> LabelDomains.isManaged(key, additional));
    }

    public static MetadataSync annotations(Map<String, String> declared, List<Pattern> additional, Node node) {
        Draft draft = new Draft(
                node, ClusterApi.ANNOTATIONS_FROM_MACHINE, node.metadata().annotations(), key -> false,
                LabelDomains::isKeptAnnotation);
        return draft.plan(declared, key -> LabelDomains.isManagedAnnotation(key, additional));
    }

    private static final class Draft {
        private final Node node;
        private final String annotation;
        private final Map<String, String> there;
        private final Predicate<String> untouched;
        private final Predicate<String> forbidden;
        private final SortedSet<String> recorded = new TreeSet<>();
        private SortedMap<String, Optional<String>> changes = Collections.emptySortedMap();

        /**
         * @param untouched a recorded key that stays as it is, and recorded
         * @param forbidden a key that nobody may have recorded
         */
        Draft(
                Node node,
                String annotation,
                Map<String, String> there,
                Predicate<String> untouched,
                Predicate<String> forbidden) {
            this.node = node;
            this.annotation = annotation;
            this.there = there;
            this.untouched = untouched;
            this.forbidden = forbidden;
        }

        MetadataSync plan(Map<String, String> declared, Predicate<String> managed) {
            declared.forEach((key, value) -> {
                if (managed.test(key)) {
                    recorded.add(key);
                    ensure(key, value);
                }
            });
            // Absent and empty are the same here: nothing is recorded.
            String before = node.metadata().annotations().getOrDefault(annotation, "");
            String after = recordedText();
            List<Warning> warnings = List.of();
            if (!after.equals(before)) {
                warnings = leave(before);
                after = recordedText();
            }
            return new MetadataSync(
                    changes, after.equals(before) ? Optional.empty() : Optional.of(after), warnings);
        }

        /** What was recorded before goes, but for what nobody may take away. */
        private List<Warning> leave(String before) {
            UnusableEntries unusable = new UnusableEntries(node.metadata().key().name(), annotation);
            for (String entry : before.split(",")) {
                leave(entry, unusable);
            }
            return unusable.warnings("is no key that Nodeward manages");
        }

        private void leave(String entry, UnusableEntries unusable) {
            if (recorded.contains(entry)) {
                return;
            }
            if (untouched.test(entry)) {
                recorded.add(entry);
            } else if (forbidden.test(entry) || !NodeAcceptance.isQualifiedName(entry)) {
                unusable.add(entry);
            } else {
                remove(entry);
            }
        }

        private String recordedText() {
            return String.join(",", recorded);
        }

        private void ensure(String key, String value) {
            if (!value.equals(there.get(key))) {
                change(key, Optional.of(value));
            }
        }

        private void remove(String key) {
            if (there.containsKey(key)) {
                change(key, Optional.empty());
            }
        }

        private void change(String key, Optional<String> value) {
            if (changes.isEmpty()) {
                changes = new TreeMap<>();
            }
            changes.put(key, value);
        }
    }
}
