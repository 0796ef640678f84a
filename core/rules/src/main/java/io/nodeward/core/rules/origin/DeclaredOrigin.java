package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.origin.DeclaringObject.Declared;
import io.nodeward.core.rules.origin.TaintOrigin.Status;
import io.nodeward.core.rules.origin.TaintOrigin.Tracking;
import java.util.List;
import java.util.Optional;

/**
 * Where a taint comes from that is or was declared. That is certain where the Node tracks it, who carries taints has
 * written that, and the declaration as it stands makes just this taint.
 *
 * @param path as in {@link TaintOrigin}
 */
record DeclaredOrigin(
        NodeScope scope, Taint taint, Status status, List<DeclaringObject> path, List<Tracking> tracked) {
    /** Whether a declaration that is there now may have put it there. */
    boolean isDeclared() {
        boolean once = status == Status.ONCE && !path.isEmpty() && hasValue(path.getFirst());
        return !path.isEmpty() && (!tracked.isEmpty() || once);
    }

    Cause cause() {
        return isDeclared() ? declared() : formerly();
    }

    private Cause declared() {
        DeclaringObject top = path.getLast();
        String annotation = annotation(top);
        String how = annotation.isEmpty() ? "in its list of taints" : "in its annotation " + annotation;
        Optional<String> doubt = doubt();
        return new Cause(top.source(), top.name(), doubt.isEmpty(),
                "declared " + how + writtenBy(top, annotation) + doubt.map(text -> "; " + text).orElse(""));
    }

    private Optional<String> doubt() {
        DeclaringObject nearest = path.getFirst();
        if (status == Status.HELD) {
            return Optional.of("it cannot be carried out as it stands");
        }
        if (!hasValue(nearest)) {
            return Optional.of("this value was declared before, or is somebody else's");
        }
        String tracking = annotation(nearest).isEmpty() ? ClusterApi.TAINTS_FROM_MACHINE : TaintAnnotations.TRACKING;
        if (tracked.stream().noneMatch(each -> each.annotation().equals(tracking))) {
            return Optional.of("nothing tracks that it was carried from there");
        }
        return stranger().or(this::humanBelow).or(this::unreadAbove);
    }

    private Optional<String> stranger() {
        return tracked.stream().map(Tracking::annotation).filter(annotation -> !scope.isPropagated(annotation))
                .findFirst()
                .map(annotation -> ManagedFieldsEntry.names(scope.ownersOf(annotation)) + " wrote the annotation "
                        + annotation + ", which tracks it");
    }

    /** What a user declares further down stays there whatever becomes of the declaration above. */
    private Optional<String> humanBelow() {
        for (DeclaringObject level : path.subList(0, path.size() - 1)) {
            List<ManagedFieldsEntry> writers = writers(level, annotation(level));
            if (writers.stream().noneMatch(writer -> writer.isOf(Actor.PROPAGATOR))
                    && writers.stream().anyMatch(writer -> writer.isOf(Actor.HUMAN))) {
                return Optional.of(ManagedFieldsEntry.names(writers) + " declared it in " + level.name() + " as well");
            }
        }
        return Optional.empty();
    }

    /** What a Cluster does not declare, its class may. */
    private Optional<String> unreadAbove() {
        List<DeclaringObject> levels = scope.levels();
        boolean passes = levels.getLast().source() == Source.CLUSTER && levels.getLast().find(taint.id()).isEmpty();
        DeclaringObject highest = levels.get(levels.size() - (passes && levels.size() > 1 ? 2 : 1));
        return path.getLast().equals(highest) && highest.source() != Source.CLUSTER
                ? scope.unread().map(above -> above + " may declare it, and is not known here")
                : Optional.empty();
    }

    private Cause formerly() {
        Optional<DeclaringObject> nearest = scope.levels().stream().findFirst();
        String machine = scope.node().metadata().annotations().getOrDefault(ClusterApi.MACHINE_ANNOTATION, "");
        if (nearest.isEmpty()) {
            return new Cause(machine.isEmpty() ? Source.UNKNOWN : Source.MACHINE,
                    machine.isEmpty() ? "" : "Machine " + machine, false,
                    "it was declared; by whom is not to be seen");
        }
        DeclaringObject owner = nearest.get();
        boolean other = owner.source() == Source.MACHINE && !machine.isEmpty() && !machine.equals(owner.key().name());
        Optional<String> doubt = status == Status.HELD
                ? Optional.of("not all that is declared there now can be read")
                : other ? Optional.of("or the Node still was Machine " + machine + "'s")
                : stranger().or(this::rewritten);
        return new Cause(owner.source(), owner.name(), doubt.isEmpty(),
                "it was declared there or above" + doubt.map(text -> "; " + text).orElse(""));
    }

    /** What tracks it says nothing of its value. */
    private Optional<String> rewritten() {
        return scope.listWriters().stream().allMatch(writer -> writer.isOf(Actor.PROPAGATOR))
                ? Optional.empty()
                : Optional.of("with which value is not recorded");
    }

    private boolean hasValue(DeclaringObject level) {
        return level.find(taint.id()).filter(found -> found.taint().value().equals(taint.value())).isPresent();
    }

    private String annotation(DeclaringObject level) {
        return level.find(taint.id()).map(Declared::annotation).orElse("");
    }

    private String writtenBy(DeclaringObject level, String annotation) {
        List<ManagedFieldsEntry> writers = writers(level, annotation);
        List<ManagedFieldsEntry> last = writers.isEmpty() && annotation.isEmpty()
                ? level.writers().stream().filter(writer -> writer.list() && writer.items().isEmpty()).toList()
                : List.of();
        return last.isEmpty() ? ManagedFieldsEntry.by(writers)
                : ", which " + ManagedFieldsEntry.names(last) + " wrote last";
    }

    /** Who has put just this declaration there. */
    private List<ManagedFieldsEntry> writers(DeclaringObject level, String annotation) {
        return level.writers().stream()
                .filter(writer -> annotation.isEmpty()
                        ? writer.items().contains(taint.id())
                        : writer.annotations().contains(annotation))
                .toList();
    }
}
