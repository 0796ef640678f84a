package io.nodeward.controller.admission;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers whether a DeviceTaintRule may be stored. A fault that is stored already keeps nobody from changing the rest. */
final class DeviceRuleValidator implements AdmissionHandler {
    static final GroupKind KIND =
            new GroupKind(DeviceTaintRule.DEFINITION.group(), DeviceTaintRule.DEFINITION.kind());
    private static final String PATH = "/admission/device-taint-rules";
    private static final String WEBHOOK = "device-taint-rules.nodeward.io";
    private static final Shape SPEC = Shape.of(List.of(List.of("spec")));

    private final DeviceSelectors selectors;
    private final Enforcement enforcement;

    /** @param listAttributes whether expressions may ask for attributes that are lists */
    DeviceRuleValidator(Enforcement enforcement, boolean listAttributes) {
        this.selectors = DeviceSelectors.of(SelectorFeatures.withListAttributes(listAttributes));
        this.enforcement = enforcement;
    }

    /** Of all DeviceTaintRules: they do not have the label of a watch filter. */
    Webhook webhook(String failurePolicy) {
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, SPEC, this, Map.of(
                "failurePolicy", failurePolicy,
                "objectSelector", Map.of(),
                "rules", List.of(Map.of(
                        "apiGroups", List.of(DeviceTaintRule.DEFINITION.group()),
                        "apiVersions", List.of("*"),
                        "operations", List.of("CREATE", "UPDATE"),
                        "resources", List.of(DeviceTaintRule.DEFINITION.plural())))));
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        DeviceTaintRule now = rule(request.object());
        DeviceTaintRule before = rule(request.oldObject());
        boolean isNew = request.oldObject() instanceof Tree.Absent;
        if (enforcement == Enforcement.Off || !isNew && now.equals(before)) {
            return AdmissionResponse.allowed();
        }
        List<String> faults = new ArrayList<>(faults(now));
        List<String> warnings = new ArrayList<>(RuleFaults.warnings(now));
        if (!isNew) {
            faults.removeAll(faults.isEmpty() ? List.of() : faults(before));
            warnings.removeAll(RuleFaults.warnings(before));
        }
        return enforcement == Enforcement.Warn || faults.isEmpty()
                ? AdmissionResponse.allowed().withWarnings(Stream.concat(faults.stream(), warnings.stream()).toList())
                : AdmissionResponse.invalid(faults.stream().collect(Collectors.joining("; "))).withWarnings(warnings);
    }

    private static DeviceTaintRule rule(Tree object) {
        return DeviceTaintRule.of(object.at("spec"));
    }

    private List<String> faults(DeviceTaintRule rule) {
        return RuleFaults.of(rule, expression -> selectors.compile(expression).error()).stream().map(FieldFault::text)
                .toList();
    }
}
