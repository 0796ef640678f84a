package io.nodeward.core.rules.validation;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds what two versions of an object declare, as it is to be judged. */
public final class Declarations {
    /** All that is ever looked at in an object of whatever kind. */
    public static final Shape SHAPE = Shape.of(parts());

    private final Tree before;
    private final Tree now;

    /** @param before as it is stored; absent in an object that is created */
    public Declarations(Tree before, Tree now) {
        this.before = before;
        this.now = now;
    }

    private static List<List<String>> parts() {
        List<List<String>> parts = new ArrayList<>(List.of(
                List.of("metadata", "deletionTimestamp"),
                List.of("metadata", "ownerReferences", "controller"),
                List.of("metadata", "labels", ClusterApi.TOPOLOGY_OWNED_LABEL)));
        for (DeclaringKind kind : DeclaringKind.values()) {
            Stream.concat(kind.taints().stream(), kind.annotations().stream()).forEach(place -> {
                parts.add(Stream.concat(place.path().stream(), place.below().stream()).toList());
                if (place.isInList()) {
                    parts.add(Stream.concat(place.path().stream(), Stream.of(place.key())).toList());
                }
            });
        }
        return parts;
    }

    /** Of an object of this kind. */
    public Review review(DeclaringKind kind) {
        List<Review.Taints> taints = new ArrayList<>();
        kind.taints().forEach(place -> each(place, (path, old, tree) -> taints.add(
                new Review.Taints(path, list(old), list(tree)))));
        List<Review.Annotations> annotations = new ArrayList<>();
        kind.annotations().forEach(place -> each(place, (path, old, tree) -> annotations.add(
                new Review.Annotations(path, texts(old), texts(tree)))));
        return new Review(occasion(), taints, annotations);
    }

    private Review.Occasion occasion() {
        Tree metadata = now.at("metadata");
        boolean deleting = metadata.at("deletionTimestamp") instanceof Tree.Text;
        return Review.Occasion.of(deleting, before instanceof Tree.Absent, isMadeByController(metadata));
    }

    /** The topology controller's references do not say that it controls. */
    private static boolean isMadeByController(Tree metadata) {
        Tree controls = Tree.of(Map.of("controller", true));
        return metadata.at("ownerReferences").elements().stream().anyMatch(owner -> owner.has(controls))
                || !(metadata.at("labels").at(ClusterApi.TOPOLOGY_OWNED_LABEL) instanceof Tree.Absent);
    }

    @FunctionalInterface
    private interface Visitor {
        void visit(String path, Tree before, Tree now);
    }

    private void each(DeclaringPlace place, Visitor visitor) {
        Tree old = before.at(place.path());
        Tree there = now.at(place.path());
        if (!place.isInList()) {
            visitor.visit(place.at(0), old, there);
            return;
        }
        Map<String, Tree> known = new HashMap<>();
        old.elements().forEach(element -> known.putIfAbsent(element.at(place.key()).string(), element));
        List<Tree> elements = there.elements();
        for (int i = 0; i < elements.size(); i++) {
            Tree element = elements.get(i);
            Tree same = known.remove(element.at(place.key()).string()); // the next of this name is new
            visitor.visit(place.at(i), same == null ? Tree.ABSENT : same.at(place.below()), element.at(place.below()));
        }
    }

    private static Given<List<Given<DeclaredTaint>>> list(Tree tree) {
        return switch (tree) {
            case Tree.Items(List<Tree> items) -> Given.of(items.stream().map(Declarations::taint).toList());
            case Tree.Absent absent -> Given.absent();
            default -> Given.wrongType(tree.type());
        };
    }

    private static Given<DeclaredTaint> taint(Tree item) {
        return switch (item) {
            case Tree.Fields fields -> {
                Function<String, Given<String>> field = name -> text(fields.at(name));
                yield Given.of(new DeclaredTaint(
                        field.apply("key"), field.apply("value"), field.apply("effect"), field.apply("propagation")));
            }
            case Tree.Absent absent -> Given.absent();
            default -> Given.wrongType(item.type());
        };
    }

    private static Given<String> text(Tree field) {
        return switch (field) {
            case Tree.Text(String text) -> Given.of(text);
            case Tree.Absent absent -> Given.absent();
            default -> Given.wrongType(field.type());
        };
    }

    private static Map<String, String> texts(Tree tree) {
        Map<String, String> texts = new HashMap<>();
        if (tree instanceof Tree.Fields(Map<String, Tree> fields)) {
            fields.forEach((name, value) -> texts.put(name, value.string()));
        }
        return texts;
    }
}
