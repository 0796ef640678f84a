package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The server's DeviceTaintRules that stand for one rule of Nodeward: what has to be done so that they are as wanted, one
 * thing after the other. What makes Kubernetes evict pods goes first, and what is not wanted any more goes last, so that no
 * device is without its taint meanwhile.
 */
public final class ServerRulePlan {
    private static final Comparator<CustomResource<DeviceTaintRule>> BY_NAME =
            Comparator.comparing(rule -> rule.key().name());

    private final String uid;
    private final Instant now;
    private final Map<String, ServerRule> wanted = new HashMap<>();
    private final List<String> kept;
    private final Map<String, CustomResource<DeviceTaintRule>> found = new HashMap<>();

    /**
     * @param uid of the rule of Nodeward
     * @param kept names of those that are not wanted, and stay as long as there is room; the first goes first
     * @param owned all of which it is the owner
     * @param find the server's rule of a name, whoever its owner is
     */
    public ServerRulePlan(
            String uid, Collection<ServerRule> wanted, List<String> kept,
            Collection<CustomResource<DeviceTaintRule>> owned,
            Function<String, Optional<CustomResource<DeviceTaintRule>>> find, Instant now) {
        this.uid = uid;
        this.now = now;
        this.kept = List.copyOf(kept);
        owned.forEach(rule -> found.put(rule.key().name(), rule));
        for (ServerRule rule : wanted) {
            this.wanted.put(rule.name(), rule);
            find.apply(rule.name()).ifPresent(same -> found.put(rule.name(), same));
        }
    }

    /** A change of one of the server's rules. */
    public sealed interface Step {
        /** Creates a rule, as there is none of its name. */
        record Create(ServerRule rule) implements Step {}

        /** Restores a rule that another client has edited, though not its effect. */
        record Restore(ServerRule rule, CustomResource<DeviceTaintRule> found) implements Step {}

        /** Deletes a rule that is not wanted, or whose effect was edited: to edit that back would be a new taint, from now on. */
        record Delete(CustomResource<DeviceTaintRule> found) implements Step {}
    }

    /**
     * Returns the next thing to do; empty if all is as wanted, or what is left has to wait for room.
     *
     * @param room how many more the server may have
     */
    public Optional<Step> next(int room) {
        return first(rule -> !isWanted(rule) && !ServerRule.isHarmless(rule.spec().taint(), now))
                .<Step>map(Step.Delete::new)
                .or(() -> first(rule -> isWanted(rule) && !isAsWanted(rule)).map(this::repaired))
                .or(() -> missing(room))
                .or(() -> complete() == wanted.size() ? superfluous() : Optional.empty())
                .or(() -> room > 0 ? Optional.empty() : givenUp());
    }

    /** Returns how many are wanted. */
    public int size() {
        return wanted.size();
    }

    /** Returns how many of these are as wanted. */
    public int complete() {
        return (int) standing().stream().filter(this::isAsWanted).count();
    }

    private List<CustomResource<DeviceTaintRule>> standing() {
        return found.values().stream().filter(rule -> isWanted(rule) && !rule.metadata().deleting()).toList();
    }

    /** Returns how many of these Kubernetes has reported on, as they are. */
    public int reported() {
        return (int) standing().stream().filter(ServerRule::isReported).count();
    }

    /** Returns whether Kubernetes has reported on all that are wanted, as they are wanted. */
    public boolean isReported() {
        return complete() == size() && reported() == size();
    }

    private boolean isWanted(CustomResource<DeviceTaintRule> rule) {
        return wanted.containsKey(rule.key().name());
    }

    private boolean isAsWanted(CustomResource<DeviceTaintRule> rule) {
        return Optional.ofNullable(wanted.get(rule.key().name())).filter(same -> same.is(rule, uid, now)).isPresent();
    }

    private Step repaired(CustomResource<DeviceTaintRule> rule) {
        return Optional.ofNullable(wanted.get(rule.key().name()))
                .filter(same -> same.effect().equals(rule.spec().taint().effect()))
                .<Step>map(same -> new Step.Restore(same, rule)).orElseGet(() -> new Step.Delete(rule));
    }

    /** Returns a rule that is missing. Without room, one that is not wanted any more goes first. */
    private Optional<Step> missing(int room) {
        return wanted.values().stream().filter(rule -> !found.containsKey(rule.name()))
                .min(Comparator.comparing(ServerRule::name))
                .flatMap(rule -> room > 0 ? Optional.of(new Step.Create(rule)) : superfluous().or(this::givenUp));
    }

    /** Returns a rule that is not wanted any more; first those whose devices have the taint of another one already. */
    private Optional<Step> superfluous() {
        return first(rule -> isSuperfluous(rule) && isReplaced(rule)).or(() -> first(this::isSuperfluous))
                .map(Step.Delete::new);
    }

    private boolean isSuperfluous(CustomResource<DeviceTaintRule> rule) {
        return !isWanted(rule) && !kept.contains(rule.key().name());
    }

    /** Returns a rule that is kept and not wanted: where there is no room, another rule may need its place. */
    private Optional<Step> givenUp() {
        return kept.stream().flatMap(name -> Stream.ofNullable(found.get(name)))
                .filter(rule -> !isWanted(rule) && !rule.metadata().deleting()).findFirst().map(Step.Delete::new);
    }

    private boolean isReplaced(CustomResource<DeviceTaintRule> old) {
        return standing().stream().anyMatch(rule -> rule.spec().selector().equals(old.spec().selector()));
    }

    /** Returns the first rule. One that is being deleted waits for its finalizers: there is nothing more to do. */
    private Optional<CustomResource<DeviceTaintRule>> first(Predicate<CustomResource<DeviceTaintRule>> which) {
        return found.values().stream().filter(rule -> !rule.metadata().deleting()).filter(which).min(BY_NAME);
    }
}
