package io.nodeward.controller.app;

import io.nodeward.controller.app.KnownController.FeatureGate;
import io.nodeward.core.rules.command.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which controllers {@code --controllers} selects, as kube-controller-manager reads it. */
final class ControllerSelection {
    static final String ALL = "*";
    private static final String NOT = "-";

    private final List<String> items;

    /** Whatever the gates say: to clean up. */
    ControllerSelection(List<String> items) {
        this.items = List.copyOf(items);
        items.forEach(ControllerSelection::check);
    }

    /**
     * @param items a name, a name after a minus, or {@code *} for all that are not named
     * @throws IllegalArgumentException for an unknown name, or one whose gates are off, unless the user switched one off
     *             by its name: then it cleans up
     */
    ControllerSelection(List<String> items, FeatureGates gates) {
        this(items);
        for (KnownController controller : KnownController.values()) {
            List<FeatureGate> missing = controller.missing(gates);
            if (!missing.isEmpty() && isNamed(controller) && missing.stream().noneMatch(gates::isSwitchedOff)) {
                throw new IllegalArgumentException("--controllers: " + controller.text() + " is named, and "
                        + (missing.size() == 1 ? "its feature gate is off" : "its feature gates are off")
                        + "; switch on --feature-gates=" + missing.stream().map(gate -> gate + "=true")
                                .collect(Collectors.joining(",")));
            }
        }
    }

    /** Those to run, and of those whose gates are off what cleans up after them. */
    Set<KnownController> selected() {
        return Arrays.stream(KnownController.values())
                .filter(controller -> isNamed(controller)
                        || items.contains(ALL) && !items.contains(NOT + controller.text()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The first item that names it decides. */
    private boolean isNamed(KnownController controller) {
        return items.stream().filter(item -> item.equals(controller.text()) || item.equals(NOT + controller.text()))
                .findFirst().filter(item -> !item.startsWith(NOT)).isPresent();
    }

    private static void check(String item) {
        String name = item.startsWith(NOT) ? item.substring(NOT.length()) : item;
        if (!item.equals(ALL) && !KnownController.names().contains(name)) {
            throw new IllegalArgumentException("--controllers: unknown controller '" + name + "'"
                    + Nearest.hint(name, KnownController.names()) + " (there are "
                    + String.join(", ", KnownController.names()) + ")");
        }
    }
}
