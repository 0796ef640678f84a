package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The names and labels of what a component registers. Nodewards with different watch filters may run beside each other:
 * each has objects of its own, and takes nothing from another.
 *
 * @param component such as {@code admission}
 * @param watchFilter empty for all
 * @param phases of which it may register anything; it needs no rights on the kinds of others
 * @param service where API servers reach it
 */
public record ManagedObjects(
        String component, String watchFilter, Set<AdmissionPhase> phases, WebhookClientConfig service) {
    private static final String SYSTEM = "nodeward-system";
    /** Where a component is reached unless a flag names another place, without the end, its name. */
    public static final String USUAL_SERVICE = SYSTEM + "/nodeward-";

    private static final String COMPONENT_LABEL = "nodeward.io/component";
    private static final String FILTER_LABEL = "nodeward.io/watch-filter";
    /** So that a Nodeward behind another Service, or behind none, does not delete the object when it cleans up. */
    static final String SERVICE = "nodeward.io/service";

    public ManagedObjects {
        phases = Set.copyOf(phases);
    }

    /** What its writes are recorded under. */
    String fieldManager() {
        return "nodeward-" + component;
    }

    /** @param part empty, or what tells several of a kind apart */
    public String name(String part) {
        String filter = watchFilter.toLowerCase(Locale.ROOT).replace('_', '-');
        return "nodeward-" + component + (part.isEmpty() ? "" : "-" + part) + (filter.isEmpty() ? "" : "-" + filter);
    }

    Map<String, String> labels() {
        return new TreeMap<>(Map.of(
                "app.kubernetes.io/managed-by", "nodeward",
                COMPONENT_LABEL, component,
                FILTER_LABEL, watchFilter));
    }

    /** Of what it makes. Who is reached at a URL may be reached at another one next time. */
    Map<String, String> annotations() {
        return service instanceof WebhookClientConfig.InCluster own
                ? Map.of(SERVICE, own.namespace() + "/" + own.name())
                : Map.of();
    }

    /**
     * What was made by who is reached at the same Service, with the Secret at its side; at a URL, what no Service has. Who names
     * no Service, and so has the usual one, may have been reached at a URL before.
     */
    Labelled ofService() {
        String own = annotations().getOrDefault(SERVICE, "");
        boolean usual = own.equals(USUAL_SERVICE + component);
        return labelled(usual ? List.of(own, "") : List.of(own), Optional.of(secret()));
    }

    /** Where its own certificate is. */
    ObjectKey secret() {
        return new ObjectKey(service instanceof WebhookClientConfig.InCluster own ? own.namespace() : SYSTEM, name(""));
    }

    /** All that it makes. */
    Labelled labelled() {
        return labelled(List.of(), Optional.empty());
    }

    /** Only webhooks are what each component may look for: it may never have policies, or a Secret. */
    private Labelled labelled(List<String> services, Optional<ObjectKey> secret) {
        Set<Resource> optional = new HashSet<>(kinds());
        webhookKinds().forEach(optional::remove);
        return new Labelled(component, labels(), services, kinds(), optional, secret);
    }

    /** Every kind that it makes, in the order of deletion: a policy without its binding would do nothing. */
    List<Resource> kinds() {
        List<Resource> all = new ArrayList<>();
        all.addAll(webhookKinds());
        phasesInOrder().map(AdmissionPhase::policyBindings).forEach(all::add);
        phasesInOrder().map(AdmissionPhase::policies).forEach(all::add);
        all.add(Resources.SECRETS);
        return all;
    }

    /** The webhook configurations among them. */
    List<Resource> webhookKinds() {
        return phasesInOrder().map(AdmissionPhase::webhookConfigurations).toList();
    }

    /** The policies and bindings among them. */
    List<Resource> policyKinds() {
        return phasesInOrder().flatMap(phase -> Stream.of(phase.policies(), phase.policyBindings())).toList();
    }

    private Stream<AdmissionPhase> phasesInOrder() {
        return phases.stream().sorted();
    }

    /** The fields by which API servers choose what to ask about; without a selector, of what this Nodeward looks after. */
    Map<String, Object> selecting(Map<?, ?> fields) {
        Map<String, Object> selecting = new TreeMap<>();
        if (!watchFilter.isEmpty()) {
            selecting.put("objectSelector", Map.of("matchLabels", Map.of(ClusterApi.WATCH_FILTER_LABEL, watchFilter)));
        }
        fields.forEach((name, value) -> selecting.put(String.valueOf(name), value));
        return selecting;
    }

    /** By its labels, or because the component made the object and somebody removed them. */
    boolean manages(Tree object) {
        return hasLabels(object) || !hasAnotherFilter(object)
                && object.at(List.of("metadata", "managedFields")).elements().stream()
                        .anyMatch(entry -> entry.at("manager").string().equals(fieldManager()));
    }

    private boolean hasLabels(Tree object) {
        return object.at(List.of("metadata", "labels")).has(Tree.of(labels()));
    }

    /** A Nodeward with another watch filter manages the object. */
    private boolean hasAnotherFilter(Tree object) {
        Tree filter = object.at(List.of("metadata", "labels", FILTER_LABEL));
        return filter instanceof Tree.Text(String text) && !text.equals(watchFilter);
    }
}
