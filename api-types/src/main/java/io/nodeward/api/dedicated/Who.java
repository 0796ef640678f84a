package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods that may use a group's Nodes: those to which any of these applies.
 *
 * @param podSelector no security boundary: anyone who creates a pod chooses its labels
 * @param resources names of extended resources that a pod requests
 * @param deviceClasses of devices that a pod claims
 */
public record Who(
        List<String> namespaces,
        Optional<Selector> namespaceSelector,
        List<ObjectKey> serviceAccounts,
        Optional<Selector> podSelector,
        List<String> resources,
        List<String> deviceClasses) {
    /** Nobody. */
    public static final Who NONE =
            new Who(List.of(), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of());

    public Who {
        namespaces = List.copyOf(namespaces);
        serviceAccounts = List.copyOf(serviceAccounts);
        resources = List.copyOf(resources);
        deviceClasses = List.copyOf(deviceClasses);
    }

    static Who of(Tree who) {
        return new Who(
                Texts.list(who.at("namespaces")),
                Selector.of(who.at("namespaceSelector")),
                who.at("serviceAccounts").elements().stream()
                        .map(account -> new ObjectKey(account.at("namespace").string(), account.at("name").string()))
                        .toList(),
                Selector.of(who.at("podSelector")),
                Texts.list(who.at("resources")),
                Texts.list(who.at("deviceClasses")));
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "namespaces", Tree.of(namespaces),
                "namespaceSelector", namespaceSelector.map(Selector::tree).orElse(Tree.ABSENT),
                "serviceAccounts", Tree.of(serviceAccounts.stream()
                        .map(account -> Map.of("namespace", account.namespace(), "name", account.name()))
                        .toList()),
                "podSelector", podSelector.map(Selector::tree).orElse(Tree.ABSENT),
                "resources", Tree.of(resources),
                "deviceClasses", Tree.of(deviceClasses)));
    }
}
