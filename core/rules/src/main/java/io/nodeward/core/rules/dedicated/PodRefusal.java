package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.Who;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a group keeps out a pod that is no member.
 *
 * @param found field of the pod that would let it in
 * @param awaitsClaims whether it may be a member by claims that are not known yet
 * @param nodeUnknown whether the group keeps the pod out because the Node that it is put on is not known
 */
public record PodRefusal(Group group, String found, boolean awaitsClaims, boolean nodeUnknown) {
    /** So many names of each kind are listed: the whole list is in the DedicatedNodes. */
    private static final int NAMED = 3;

    /** For the one who writes the pod. */
    String message() {
        return "DedicatedNodes " + group.name() + " is for " + members(group) + ": " + found
                + (awaitsClaims ? "; claims of this pod are not known yet, try again" : "");
    }

    /** Returns the same refusal, which says this as well. */
    PodRefusal with(String more) {
        return new PodRefusal(group, found + "; " + more, awaitsClaims, nodeUnknown);
    }

    String warning() {
        return "DedicatedNodes " + group.name() + ": Enforce will refuse this pod: " + found;
    }

    static String members(Group group) {
        if (group.spec().shared()) {
            return "pods of no other group";
        }
        Who who = group.spec().who();
        List<String> ways = new ArrayList<>();
        add(ways, "of namespace ", who.namespaces());
        who.namespaceSelector().ifPresent(by -> ways.add("of namespaces that spec.who.namespaceSelector selects"));
        add(ways, "of ServiceAccount ", who.serviceAccounts().stream().map(Object::toString).toList());
        who.podSelector().ifPresent(by -> ways.add("that spec.who.podSelector selects"));
        add(ways, "that request ", who.resources());
        add(ways, "that claim devices of ", who.deviceClasses());
        return ways.isEmpty() ? "no pod" : "pods " + String.join(", or ", ways);
    }

    private static void add(List<String> ways, String kind, List<String> names) {
        if (!names.isEmpty()) {
            ways.add(kind + some(names));
        }
    }

    /** The first of them, and how many more there are. */
    static String some(List<String> names) {
        int more = names.size() - NAMED;
        return names.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
