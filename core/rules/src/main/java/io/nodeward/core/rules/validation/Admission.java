package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.core.rules.validation.Given.Absent;
import io.nodeward.core.rules.validation.Given.Value;
import io.nodeward.core.rules.validation.Given.WrongType;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Judges an object before it is stored. What the schema or a Node would refuse is refused with the reason. What was
 * stored before is not looked at again, so that an object with an old fault can still be changed elsewhere; what a
 * controller copies of it into a new object is only told of; and nothing of an object that is being deleted is looked at:
 * its finalizers must go.
 */
public final class Admission {
    /** Most faults, and most warnings, of one object: nobody reads more. */
    static final int MOST = 100;

    private final AdmissionPolicy policy;
    private final List<Violation> refused = new ArrayList<>(0);
    private final List<String> warnings = new ArrayList<>(0);

    private Admission(AdmissionPolicy policy) {
        this.policy = policy;
    }

    public static Verdict judge(Review review, AdmissionPolicy policy) {
        if (review.occasion() == Review.Occasion.DELETING) {
            return Verdict.ALLOWED;
        }
        Admission admission =
                new Admission(review.occasion() == Review.Occasion.COPIED ? policy.ofCopies() : policy);
        review.taints().forEach(admission::taints);
        review.annotations().forEach(admission::annotations);
        return new Verdict(admission.refused, admission.warnings);
    }

    private void taints(Review.Taints list) {
        TaintListChange change = TaintListChange.of(list);
        MachineTaintRules.validate(list.path(), true, list.now()).stream()
                .filter(change::isNew)
                .forEach(fault -> say(fault, policy.enforcement()));
        List<Given<DeclaredTaint>> items = TaintListChange.items(list.now());
        if (items.size() <= MachineTaintRules.MAX_ITEMS) {
            for (int i = 0; i < items.size(); i++) {
                if (!change.isKept(i)) {
                    item(list.path() + "[" + i + "]", items.get(i));
                }
            }
        }
        if (change.addsItems()) {
            gate(list.path());
        }
    }

    private void item(String path, Given<DeclaredTaint> item) {
        taint(item).ifPresent(taint -> {
            // The schema's own faults have been named.
            List<Violation> known = MachineTaintRules.validate("", true, Given.of(List.of(item)));
            for (Violation fault : NodeAcceptance.violations(path, taint)) {
                if (known.stream().noneMatch(k -> fault.field().equals(path + k.field().substring("[0]".length())))) {
                    say(fault, policy.enforcement());
                }
            }
            lifecycle(path, taint);
        });
    }

    private void annotations(Review.Annotations annotations) {
        Map<String, String> names = new HashMap<>(); // texts have an order, so that none can be made that fill one place
        for (Map.Entry<String, String> annotation : new TreeMap<>(annotations.now()).entrySet()) {
            String name = annotation.getKey();
            if (!name.startsWith(TaintAnnotations.PREFIX)) {
                continue;
            }
            String path = annotations.path() + "[" + name + "]";
            String text = annotation.getValue();
            Optional<MachineTaint> taint = AnnotatedTaint.parse(text);
            Optional<String> first = taint.map(t -> names.putIfAbsent(t.id().toString(), name));
            if (!text.equals(annotations.before().get(name))) {
                AnnotatedTaint.violations(path, text).forEach(fault -> say(fault, policy.enforcement()));
                taint.ifPresent(t -> lifecycle(path, t));
                first.ifPresent(used -> warn(path + ": repeats key and effect of " + used + ", which is used"));
                gate(path);
            }
        }
    }

    private void gate(String path) {
        if (!policy.propagates()) {
            say(new Violation(path, Reason.FEATURE_GATE, MachineTaintRules.GATE_IS_OFF), policy.gate());
        }
    }

    private void lifecycle(String path, MachineTaint taint) {
        if (MachineTaintRules.isLifecycle(taint.key())) {
            warn(path + ": " + taint.key() + " is set and removed by another controller, which will fight over it");
        }
    }

    private void say(Violation fault, Enforcement enforcement) {
        switch (enforcement) {
            case Enforce -> add(refused, fault);
            case Warn -> add(warnings, Verdict.text(fault));
            case Off -> {}
        }
    }

    private void warn(String warning) {
        if (policy.enforcement() != Enforcement.Off) {
            add(warnings, warning);
        }
    }

    private static <T> void add(List<T> messages, T another) {
        if (messages.size() < MOST) {
            messages.add(another);
        }
    }

    /** Empty if it has not the texts of a taint; that is a fault of its own. */
    private static Optional<MachineTaint> taint(Given<DeclaredTaint> item) {
        return item instanceof Value<DeclaredTaint>(DeclaredTaint taint)
                ? text(taint.key()).flatMap(key -> text(taint.effect()).map(effect -> new MachineTaint(
                        key, text(taint.value()).orElse(""), effect, text(taint.propagation()).orElse(""))))
                : Optional.empty();
    }

    private static Optional<String> text(Given<String> field) {
        return switch (field) {
            case Value<String>(String text) -> Optional.of(text);
            case Absent<String>() -> Optional.empty();
            case WrongType<String>(String found) -> Optional.empty();
        };
    }
}
