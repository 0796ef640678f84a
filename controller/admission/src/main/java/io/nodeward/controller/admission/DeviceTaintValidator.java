package io.nodeward.controller.admission;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.GroupKind;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers whether a DeviceTaintRule or a DeviceTaintSlice may be stored. A fault that is stored already keeps nobody from
 * changing the rest.
 *
 * @param <S> its spec
 */
record DeviceTaintValidator<S>(Kind<S> kind, Enforcement enforcement) implements AdmissionHandler {
    private static final Shape SPEC = Shape.of(List.of(List.of("spec")));

    /** @param name of its webhook, and the end of the path */
    private record Kind<S>(
            String name, CustomResourceDefinition definition, Function<Tree, S> spec,
            Function<S, List<FieldFault>> faults, Function<S, List<String>> warnings) {}

    /** @param listAttributes whether expressions may ask for attributes that are lists */
    static DeviceTaintValidator<DeviceTaintRule> ofRules(Enforcement enforcement, boolean listAttributes) {
        DeviceSelectors selectors = DeviceSelectors.of(SelectorFeatures.withListAttributes(listAttributes));
        return new DeviceTaintValidator<>(new Kind<>("device-taint-rules", DeviceTaintRule.DEFINITION,
                DeviceTaintRule::of,
                rule -> RuleFaults.of(rule, expression -> selectors.compile(expression).error()),
                RuleFaults::warnings), enforcement);
    }

    static DeviceTaintValidator<DeviceTaintSlice> ofTaintSlices(Enforcement enforcement) {
        return new DeviceTaintValidator<>(new Kind<>("device-taint-slices", DeviceTaintSlice.DEFINITION,
                DeviceTaintSlice::of, RuleFaults::of, RuleFaults::warnings), enforcement);
    }

    GroupKind groupKind() {
        return new GroupKind(kind.definition().group(), kind.definition().kind());
    }

    /** Of all objects of the kind: they do not have the label of a watch filter. */
    Webhook webhook(String failurePolicy) {
        return new Webhook(AdmissionPhase.VALIDATING, kind.name() + ".nodeward.io", "/admission/" + kind.name(), SPEC,
                this, Map.of(
                        "failurePolicy", failurePolicy,
                        "objectSelector", Map.of(),
                        "rules", List.of(Map.of(
                                "apiGroups", List.of(kind.definition().group()),
                                "apiVersions", List.of("*"),
                                "operations", List.of("CREATE", "UPDATE"),
                                "resources", List.of(kind.definition().plural())))));
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        S now = kind.spec().apply(request.object().at("spec"));
        S before = kind.spec().apply(request.oldObject().at("spec"));
        boolean isNew = request.oldObject() instanceof Tree.Absent;
        if (enforcement == Enforcement.Off || !isNew && now.equals(before)) {
            return AdmissionResponse.allowed();
        }
        List<String> faults = new ArrayList<>(faults(now));
        List<String> warnings = new ArrayList<>(kind.warnings().apply(now));
        if (!isNew) {
            faults.removeAll(faults.isEmpty() ? List.of() : faults(before));
            warnings.removeAll(kind.warnings().apply(before));
        }
        return enforcement == Enforcement.Warn || faults.isEmpty()
                ? AdmissionResponse.allowed().withWarnings(Stream.concat(faults.stream(), warnings.stream()).toList())
                : AdmissionResponse.invalid(faults.stream().collect(Collectors.joining("; "))).withWarnings(warnings);
    }

    private List<String> faults(S spec) {
        return kind.faults().apply(spec).stream().map(FieldFault::text).toList();
    }
}
