package io.nodeward.controller.app.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;

/** Where a thread is made it is named: by a name, by the method that has the builder, or by a factory. */
final class NamedThreads extends ArchCondition<JavaClass> {
    private static final String BUILDER = Thread.Builder.class.getName();

    NamedThreads() {
        super("name the threads that they make");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getCodeUnits().forEach(unit -> unit.getCallsFromSelf().stream()
                .filter(call -> isNameless(unit, call))
                .forEach(call -> events.add(SimpleConditionEvent.violated(call, call.getDescription()))));
    }

    private static boolean isNameless(JavaCodeUnit unit, JavaCodeUnitAccess<?> call) {
        JavaClass owner = call.getTargetOwner();
        if (owner.isEquivalentTo(Thread.class)) {
            return switch (call.getName()) {
                case "startVirtualThread" -> true;
                case "ofVirtual", "ofPlatform" -> !names(unit);
                case "<init>" -> !takes(call, String.class);
                default -> false;
            };
        }
        boolean pool = owner.isEquivalentTo(Executors.class) && call.getName().startsWith("new")
                || owner.isAssignableTo(ThreadPoolExecutor.class) && call.getName().equals("<init>");
        return pool && !takes(call, ThreadFactory.class);
    }

    private static boolean names(JavaCodeUnit unit) {
        return unit.getMethodCallsFromSelf().stream().anyMatch(
                call -> call.getName().equals("name") && call.getTargetOwner().getName().startsWith(BUILDER));
    }

    private static boolean takes(JavaCodeUnitAccess<?> call, Class<?> parameter) {
        List<JavaClass> parameters = call.getTarget().getRawParameterTypes();
        return parameters.stream().anyMatch(type -> type.isEquivalentTo(parameter));
    }
}
