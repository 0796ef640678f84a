package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.Given.Absent;
import io.nodeward.core.rules.validation.Given.Value;
import io.nodeward.core.rules.validation.Given.WrongType;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Cluster API's schema for a list of Machine taints together with the rules a webhook adds to it. The verdict is the
 * same for every kind, control plane or not. What the schema lets through although no Node accepts it is for {@link
 * NodeAcceptance} to say.
 */
public final class MachineTaintRules {
    /** Of one list. */
    public static final int MAX_ITEMS = 64;
    static final int MAX_KEY = 253;
    static final List<String> RESERVED = List.of(ClusterApi.UNINITIALIZED_TAINT, ClusterApi.OUTDATED_REVISION_TAINT);
    static final List<String> PROPAGATIONS = List.of(MachineTaint.ALWAYS, MachineTaint.ON_INITIALIZATION);
    static final List<String> LIFECYCLE = List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");
    /** A user sets it, although its domain is the node controller's. */
    static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
    static final String GATE_IS_OFF = "must not be set while the gate MachineTaintPropagation is off";
    static final String IS_RESERVED = "is managed by Cluster API itself";
    private static final int MAX_VALUE = 63;
    private static final Pattern KEY = Pattern.compile("(([a-zA-Z0-9\\-.]+/)?([a-zA-Z0-9][a-zA-Z0-9\\-._]*))?");
    private static final Pattern VALUE = Pattern.compile("([a-zA-Z0-9][a-zA-Z0-9\\-._]*)?");

    private final List<Violation> violations = new ArrayList<>();

    private MachineTaintRules() {}

    /**
     * All faults of one list, in the order of its items; empty if it may be stored. No item of a list that is too long is
     * looked at.
     *
     * @param path where the list is, for example {@code spec.template.spec.taints}
     * @param propagationEnabled the gate MachineTaintPropagation; while off nothing may be declared
     * @param taints the list as it arrived
     */
    public static List<Violation> validate(
            String path, boolean propagationEnabled, Given<List<Given<DeclaredTaint>>> taints) {
        MachineTaintRules rules = new MachineTaintRules();
        switch (taints) {
            case Absent<List<Given<DeclaredTaint>>>() -> {}
            case WrongType<List<Given<DeclaredTaint>>>(String found) -> rules.type(path, "array", found);
            case Value<List<Given<DeclaredTaint>>>(List<Given<DeclaredTaint>> items) -> {
                rules.list(path, propagationEnabled, items);
            }
        }
        return List.copyOf(rules.violations);
    }

    /** Whether Cluster API keeps this key for itself, with any effect. */
    public static boolean isReserved(String key) {
        return RESERVED.contains(key);
    }

    /** Whether the node controller or a cloud provider sets and removes this key, so that an owner would fight it. */
    public static boolean isLifecycle(String key) {
        for (String domain : LIFECYCLE) {
            if (key.startsWith(domain)) {
                return !key.equals(OUT_OF_SERVICE);
            }
        }
        return false;
    }

    private void list(String path, boolean propagationEnabled, List<Given<DeclaredTaint>> items) {
        if (items.isEmpty()) {
            add(path, Reason.MIN_ITEMS, "must have at least 1 item, or be absent");
        } else if (!propagationEnabled) {
            add(path, Reason.FEATURE_GATE, GATE_IS_OFF);
        }
        if (items.size() > MAX_ITEMS) {
            add(path, Reason.MAX_ITEMS, "must have at most " + MAX_ITEMS + " items, has " + items.size());
            return;
        }
        Set<TaintId> seen = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            item(path + "[" + i + "]", items.get(i), seen);
        }
    }

    private void item(String path, Given<DeclaredTaint> item, Set<TaintId> seen) {
        switch (item) {
            case Absent<DeclaredTaint>() -> type(path, "object", "null");
            case WrongType<DeclaredTaint>(String found) -> type(path, "object", found);
            case Value<DeclaredTaint>(DeclaredTaint taint) -> {
                Optional<String> key = text(path + ".key", taint.key(), true);
                key.ifPresent(text -> key(path + ".key", text));
                text(path + ".value", taint.value(), false).ifPresent(text -> value(path + ".value", text));
                Optional<String> effect = text(path + ".effect", taint.effect(), true);
                effect.ifPresent(text -> effect(path + ".effect", text));
                text(path + ".propagation", taint.propagation(), true)
                        .ifPresent(text -> propagation(path + ".propagation", text));
                if (key.isPresent() && effect.isPresent()) {
                    unique(path, new TaintId(key.get(), effect.get()), seen);
                }
            }
        }
    }

    private Optional<String> text(String path, Given<String> field, boolean required) {
        return switch (field) {
            case Value<String>(String text) -> Optional.of(text);
            case WrongType<String>(String found) -> {
                type(path, "string", found);
                yield Optional.empty();
            }
            case Absent<String>() -> {
                if (required) {
                    add(path, Reason.REQUIRED, "must be set");
                }
                yield Optional.empty();
            }
        };
    }

    private void key(String path, String key) {
        if (key.isEmpty()) {
            add(path, Reason.KEY_MIN_LENGTH, "must not be empty");
        }
        if (codePoints(key) > MAX_KEY) {
            add(path, Reason.KEY_MAX_LENGTH, "must have at most " + MAX_KEY + " characters");
        }
        // matches(), not find(): a "$" would let a trailing newline through.
        if (!KEY.matcher(key).matches()) {
            add(path, Reason.KEY_PATTERN, "must match " + KEY.pattern());
        }
        if (isReserved(key)) {
            add(path, Reason.RESERVED_KEY, IS_RESERVED);
        }
    }

    private void value(String path, String value) {
        if (codePoints(value) > MAX_VALUE) {
            add(path, Reason.VALUE_MAX_LENGTH, "must have at most " + MAX_VALUE + " characters");
        }
        if (!VALUE.matcher(value).matches()) {
            add(path, Reason.VALUE_PATTERN, "must match " + VALUE.pattern());
        }
    }

    private void effect(String path, String effect) {
        if (!NodeAcceptance.isEffect(effect)) {
            add(path, Reason.EFFECT_ENUM, "must be NoSchedule, PreferNoSchedule or NoExecute");
        }
    }

    private void propagation(String path, String propagation) {
        if (!PROPAGATIONS.contains(propagation)) {
            add(path, Reason.PROPAGATION_ENUM, "must be Always or OnInitialization");
        }
    }

    private void unique(String path, TaintId id, Set<TaintId> seen) {
        if (!seen.add(id)) {
            add(path, Reason.DUPLICATE, "repeats key and effect of an earlier item: " + id);
        }
    }

    private void type(String path, String wanted, String found) {
        add(path, Reason.TYPE, "must be of type " + wanted + ", is " + found);
    }

    private void add(String path, Reason reason, String message) {
        violations.add(new Violation(path, reason, message));
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }
}
