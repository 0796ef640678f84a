package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.simulation.SimulationContract;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What a component registers, and deletes when it is not needed any more. */
class RegistrationSimulationTest extends SimulationContract<RegistrationWorld> {
    private static final int EVENTS = 40;
    /** Wanted all the time: what has lost its labels and is not wanted any more is found by nobody. */
    private static final String KEPT = "kept";
    private static final List<String> PARTS = List.of(KEPT, "a", "b");

    @Override
    protected RegistrationWorld world(Random faults) {
        return new RegistrationWorld(faults);
    }

    @Override
    protected List<Consumer<RegistrationWorld>> events(Random random) {
        List<Consumer<RegistrationWorld>> events = new ArrayList<>();
        List<AdmissionPolicyDefinition> first = policies(random);
        events.add(world -> world.want(first));
        for (int event = 0; event < EVENTS; event++) {
            events.add(event(random));
        }
        return events;
    }

    private static Consumer<RegistrationWorld> event(Random random) {
        AdmissionPhase phase = AdmissionPhase.values()[random.nextInt(2)];
        Resource kind = random.nextBoolean() ? phase.policies() : phase.policyBindings();
        String part = PARTS.get(random.nextInt(3));
        List<AdmissionPolicyDefinition> policies = policies(random);
        return switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> world -> world.want(policies);
            case 4, 5 -> world -> world.edit(kind, part);
            case 6 -> world -> world.delete(kind, part);
            default -> world -> world.removeLabels(kind, KEPT);
        };
    }

    private static List<AdmissionPolicyDefinition> policies(Random random) {
        List<AdmissionPolicyDefinition> policies = new ArrayList<>();
        for (AdmissionPhase phase : AdmissionPhase.values()) {
            for (String part : PARTS) {
                boolean isKept = part.equals(KEPT);
                List<String> bindings = isKept || random.nextBoolean() ? List.of(part) : List.of(part + "-2");
                if (random.nextBoolean() || isKept) {
                    policies.add(policy(phase, part, "Fail" + random.nextInt(2), bindings));
                }
            }
        }
        return policies;
    }

    static AdmissionPolicyDefinition policy(AdmissionPhase phase, String part, String failurePolicy,
            List<String> bindings) {
        return new AdmissionPolicyDefinition(phase, part, Map.of("failurePolicy", failurePolicy), bindings.stream()
                .map(name -> new AdmissionPolicyDefinition.Binding(name, Map.of())).toList());
    }
}
