package io.nodeward.cli.device;

import io.nodeward.api.device.ResourceClaim;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.explain.NoSuchObjectException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The taints of a device, the reasons for them, and what they do to the pods that use it.
 *
 * @param others what rules say that do not select it: first those that may select it, last those that name others
 * @param uses the pods for which its claims are reserved
 * @param unknownUse why it is not known who uses it, if it is not
 * @param warnings what is not known
 */
public record DeviceExplanation(Device device, List<Tainted> taints, List<Answer> others,
        List<PodUse> uses, Optional<String> unknownUse, List<String> warnings) {
    /** The order of answers: what a rule asks last says most. */
    private static final Comparator<Answer> TELLING = Comparator.comparing((Answer answer) -> !answer.isUnknown())
            .thenComparing(DeviceExplanation::namesOthers);

    private static final Comparator<PodUse> BY_POD =
            Comparator.comparing(PodUse::pod).thenComparing(PodUse::claim);

    public DeviceExplanation {
        taints = List.copyOf(taints);
        others = List.copyOf(others);
        uses = List.copyOf(uses);
        warnings = List.copyOf(warnings);
    }

    /**
     * Explains a device.
     *
     * @param name {@code NODE/NAME}, {@code POOL/NAME} or {@code DRIVER/POOL/NAME}
     * @throws NoSuchObjectException if there is no such device
     */
    public static DeviceExplanation of(ClusterDevices devices, String name) throws NoSuchObjectException {
        Device device = DeviceSearch.find(devices.all(), name);
        List<Answer> answers = devices.rules().stream().map(rule -> devices.ask(rule, device)).toList();
        List<Tainted> taints = device.tainted(answers);
        List<PodUse> uses = new ArrayList<>();
        for (ResourceClaim claim : device.claims()) {
            uses.addAll(PodUse.of(device, claim, taints, devices.pods()));
        }
        List<String> warnings = new ArrayList<>(devices.warnings());
        if (device.claims().stream().anyMatch(claim -> !claim.consumers().isEmpty())) {
            devices.pods().gap().get().ifPresent(warnings::add);
        }
        return new DeviceExplanation(device, taints,
                answers.stream().filter(answer -> !answer.isSelected() && !isListedForOther(answer)).sorted(TELLING)
                        .toList(),
                uses.stream().sorted(BY_POD).toList(), devices.unknownUse(), warnings);
    }

    /** Each taint of a DeviceTaintSlice names one device: that it is another one says nothing. */
    private static boolean isListedForOther(Answer answer) {
        return answer.rule().isListed() && namesOthers(answer);
    }

    /** Returns whether the rule names another device, as most rules do. */
    static boolean namesOthers(Answer answer) {
        return answer.obstacle().map(obstacle -> switch (obstacle.field()) {
            case "driver", "pool", "device" -> true;
            default -> false;
        }).orElse(false);
    }
}
