package io.nodeward.core.rules.command;

import io.nodeward.api.node.Node;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.selector.SelectorException;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Which Nodes a command is about. */
public sealed interface NodeSelection {
    /** These, one after another; one that is named twice is changed twice. */
    record Named(List<String> names) implements NodeSelection {
        public Named {
            names = List.copyOf(names);
        }
    }

    /** Every Node there is. */
    record All() implements NodeSelection {}

    /** Those with such labels, which may be none. */
    record Selected(LabelSelector selector) implements NodeSelection {}

    /** Their names, in the order in which they are changed: of the command, or else of {@code nodes}. */
    default List<String> names(List<Node> nodes) {
        return switch (this) {
            case Named(var names) -> names;
            case All() -> nodes.stream().map(node -> node.key().name()).toList();
            case Selected(var selector) -> nodes.stream()
                    .filter(node -> selector.matches(node.metadata().labels()))
                    .map(node -> node.key().name())
                    .toList();
        };
    }

    /** Names given besides {@code --all} or a selector are not looked at. */
    static NodeSelection of(boolean all, String selector, List<String> names, ResourceTypes types) {
        if (all) {
            return new All();
        }
        return selector.isEmpty() ? named(names, types) : selected(selector.strip());
    }

    private static NodeSelection selected(String selector) {
        if (selector.isEmpty()) {
            throw TaintRefusal.of(Reason.NO_NAME, "resource(s) were provided, but no name was specified");
        }
        try {
            return new Selected(LabelSelector.parse(selector));
        } catch (SelectorException e) {
            throw TaintRefusal.ofLine(Reason.UNREADABLE_SELECTOR,
                    "Error from server (BadRequest): Unable to find \"/v1, Resource=nodes\" that match label selector "
                            + Quoted.of(selector) + ", field selector \"\": " + e.getMessage());
        }
    }

    /**
     * A name may say again that it is one of a Node: {@code node/n1}. One of anything else is refused at once, in the
     * words kubectl has for it after it has looked for such an object and changed the Nodes before it.
     */
    private static NodeSelection named(List<String> words, ResourceTypes types) {
        List<String> names = new ArrayList<>();
        for (String word : words) {
            String[] parts = word.split("/", -1);
            if (parts.length > 2) {
                throw unreadable("may not have more than one slash");
            }
            if (parts.length == 2) {
                requireNode(parts[0], parts[1], types);
            }
            if (word.isEmpty()) {
                throw TaintRefusal.of(Reason.UNREADABLE_NAME, "resource name may not be empty");
            }
            names.add(parts[parts.length - 1]);
        }
        return new Named(names);
    }

    private static void requireNode(String type, String name, ResourceTypes types) {
        if (type.isEmpty() || name.isEmpty() || type.contains(",")) {
            throw unreadable("must have a single resource and name");
        }
        String resource = type.split("\\.", 2)[0]; // what comes after it is a group
        String kind = types.kind(resource.toLowerCase(Locale.ROOT)).orElseThrow(() -> TaintRefusal.of(
                Reason.UNKNOWN_TYPE, "the server doesn't have a resource type " + Quoted.of(resource)));
        if (!kind.equals("Node")) {
            throw TaintRefusal.of(Reason.NOT_A_NODE, "unexpected type *v1." + kind + ", expected Node");
        }
    }

    private static TaintRefusal unreadable(String fault) {
        return TaintRefusal.of(Reason.UNREADABLE_NAME, "arguments in resource/name form " + fault);
    }
}
