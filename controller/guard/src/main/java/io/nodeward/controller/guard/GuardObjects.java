package io.nodeward.controller.guard;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.guard.GuardPolicy;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The admission policy and the binding of each NodeTaintGuard: as they are in the cluster, and what is to be done until they are as
 * declared. An object with one of their names belongs to the guard: another client could take the name first.
 */
record GuardObjects(
        String watchFilter, Supplier<Set<String>> exempt, ObjectCache<CustomResource<Tree>> policies,
        ObjectCache<CustomResource<Tree>> bindings) {
    static final ObjectKind POLICIES = kind("ValidatingAdmissionPolicy", "validatingadmissionpolicies");
    static final ObjectKind BINDINGS = kind("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings");
    static final Projection<CustomResource<Tree>> PROJECTION = Projection.customResource(Shape.WHOLE, spec -> spec);

    private static final String PREFIX = "nodeward-guard.";

    private static ObjectKind kind(String kind, String plural) {
        return new ObjectKind("admissionregistration.k8s.io", "v1", kind, plural, false);
    }

    /** Returns the labels of the objects of all guards that a Nodeward with this watch filter writes. */
    static Map<String, String> labels(String watchFilter) {
        return new TreeMap<>(Map.of("app.kubernetes.io/managed-by", "nodeward", "nodeward.io/component",
                GuardModule.NAME, "nodeward.io/watch-filter", watchFilter));
    }

    /** Returns the key of the policy and the binding of a guard. The name of a guard has no dot. */
    ObjectKey key(ObjectKey guard) {
        return ObjectKey.clusterScoped(PREFIX + guard.name() + suffix());
    }

    private String suffix() {
        return watchFilter.isEmpty() ? "" : "." + watchFilter.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the guard for which an object exists, by its name: an editor may have removed labels and owner. */
    Set<ObjectKey> map(@Nullable CustomResource<Tree> before, @Nullable CustomResource<Tree> after) {
        String name = MapFunction.latest(before, after).key().name();
        return name.startsWith(PREFIX) && name.endsWith(suffix()) && name.length() > PREFIX.length() + suffix().length()
                ? Set.of(ObjectKey.clusterScoped(
                        name.substring(PREFIX.length(), name.length() - suffix().length())))
                : Set.of();
    }

    /**
     * Returns what is to be changed next; empty if the guard is in effect. A binding without its policy does nothing. If the guard refuses
     * nothing any more, the binding goes first: it would enforce the new policy meanwhile.
     */
    Optional<ObjectChange> next(CustomResource<NodeTaintGuard> guard) {
        ObjectKey key = key(guard.key());
        Tree wanted = GuardPolicy.binding(key.name(), guard.spec().enforcement());
        Optional<ObjectChange> policy = next(POLICIES, policies, guard, key,
                GuardPolicy.policy(guard.key().name(), guard.spec(), exempt.get()));
        Optional<ObjectChange> binding = next(BINDINGS, bindings, guard, key, wanted);
        boolean isMissing = bindings.get(key).isEmpty();
        boolean denied = bindings.get(key).filter(found -> GuardPolicy.denies(found.spec())).isPresent();
        boolean isOwn = policies.get(key).filter(found -> found.metadata().owners().equals(List.of(owner(guard))))
                .isPresent();
        boolean bindingFirst = isOwn && isMissing || denied && !GuardPolicy.denies(wanted);
        return bindingFirst ? binding.or(() -> policy) : policy.or(() -> binding);
    }

    private Optional<ObjectChange> next(
            ObjectKind kind, ObjectCache<CustomResource<Tree>> cache, CustomResource<NodeTaintGuard> guard,
            ObjectKey key, Tree spec) {
        Optional<CustomResource<Tree>> found = cache.get(key);
        OwnerRef owner = owner(guard);
        if (found.isEmpty()) {
            return Optional.of(ObjectChange.create(kind, key, Tree.of(Map.of(
                    "metadata", Map.of("labels", labels(watchFilter), "ownerReferences", owned(owner)),
                    "spec", spec))).seenIn(cache));
        }
        Metadata there = found.get().metadata();
        Map<String, String> labels = new TreeMap<>(there.labels());
        labels.putAll(labels(watchFilter));
        boolean same = found.get().spec().equals(spec) && there.owners().equals(List.of(owner))
                && there.labels().equals(labels);
        // A merge or an apply would leave fields, and elements of lists, that another client has added.
        return same ? Optional.empty() : Optional.of(ObjectChange.jsonPatch(kind, there, JsonPatch.EMPTY
                .add(List.of("spec"), spec)
                .add(List.of("metadata", "ownerReferences"), owned(owner))
                .add(List.of("metadata", "labels"), Tree.of(labels))).seenIn(cache));
    }

    /** Returns the owner, with which the server deletes the object after its guard also while no controller runs. */
    private static OwnerRef owner(CustomResource<NodeTaintGuard> guard) {
        CustomResourceDefinition kind = NodeTaintGuard.DEFINITION;
        return new OwnerRef(kind.group() + "/" + kind.version(), kind.kind(), guard.key().name(),
                guard.metadata().uid(), true);
    }

    private static Tree owned(OwnerRef owner) {
        return Tree.of(List.of(Map.of("apiVersion", owner.apiVersion(), "kind", owner.kind(), "name", owner.name(),
                "uid", owner.uid(), "controller", owner.controller())));
    }
}
