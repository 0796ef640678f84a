package io.nodeward.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.guard.GuardPolicy;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuardReconcilerTest {
    private static final ObjectKey GUARD = ObjectKey.clusterScoped("banana");
    private static final OwnerRef OWNER =
            new OwnerRef("nodeward.io/v1alpha1", "NodeTaintGuard", "banana", "uid-1", true);
    private static final Set<String> EXEMPT = Set.of("nodeward");

    private final Map<ObjectKey, CustomResource<Tree>> policies = new HashMap<>();
    private final Map<ObjectKey, CustomResource<Tree>> bindings = new HashMap<>();
    private final ObjectCache<CustomResource<NodeTaintGuard>> guards = new ObjectCache<>();

    private GuardReconciler reconciler(String watchFilter) {
        ObjectCache<CustomResource<Tree>> ofPolicies = new ObjectCache<>();
        policies.values().forEach(ofPolicies::put);
        ObjectCache<CustomResource<Tree>> ofBindings = new ObjectCache<>();
        bindings.values().forEach(ofBindings::put);
        return new GuardReconciler(guards, new GuardObjects(watchFilter, () -> EXEMPT, ofPolicies, ofBindings));
    }

    private Decision decide() {
        return reconciler("").reconcile(GUARD);
    }

    private ObjectChange change() {
        return ((Decision.Change) decide()).change();
    }

    private CustomResource<NodeTaintGuard> declare(Map<String, Object> spec, boolean deleting) {
        CustomResource<NodeTaintGuard> guard = new CustomResource<>(
                new Metadata(GUARD, "uid-1", "1", Map.of(), Map.of(), List.of(), deleting), 1,
                NodeTaintGuard.of(Tree.of(spec)), List.of());
        guards.put(guard);
        return guard;
    }

    private void store(Map<ObjectKey, CustomResource<Tree>> kind, Tree spec, List<OwnerRef> owners,
            Map<String, String> labels) {
        ObjectKey key = ObjectKey.clusterScoped("nodeward-guard.banana");
        kind.put(key, new CustomResource<>(
                new Metadata(key, "u", "7", labels, Map.of(), owners, false), 1, spec, List.of()));
    }

    private void storeBoth(CustomResource<NodeTaintGuard> guard) {
        store(policies, GuardPolicy.policy("banana", guard.spec(), EXEMPT), List.of(OWNER), GuardObjects.labels(""));
        store(bindings, GuardPolicy.binding("nodeward-guard.banana", guard.spec().enforcement()), List.of(OWNER),
                GuardObjects.labels(""));
    }

    @Test
    void the_policy_is_created_and_then_its_binding_and_then_the_guard_is_in_effect() {
        CustomResource<NodeTaintGuard> guard = declare(Map.of(), false);
        assertThat(created(change(), GuardObjects.POLICIES).at("spec"))
                .isEqualTo(GuardPolicy.policy("banana", guard.spec(), EXEMPT));
        storeBoth(guard);
        bindings.clear();
        assertThat(created(change(), GuardObjects.BINDINGS).at(List.of("spec", "policyName")).string())
                .isEqualTo("nodeward-guard.banana");
        storeBoth(guard);
        assertThat(decide()).isInstanceOf(Decision.InEffect.class);
    }

    private static Tree created(ObjectChange change, ObjectKind kind) {
        assertThat(change.objectKind()).isEqualTo(kind);
        assertThat(change.key().name()).isEqualTo("nodeward-guard.banana");
        Tree content = ((Verb.Create) change.verb()).content();
        assertThat(content.at(List.of("metadata", "ownerReferences")).elements()).singleElement()
                .satisfies(owner -> assertThat(owner.at("uid").string()).isEqualTo("uid-1"));
        return content;
    }

    /** The binding would enforce the new policy meanwhile, which guards more. */
    @Test
    void of_a_guard_that_refuses_nothing_any_more_the_binding_is_written_first() {
        storeBoth(declare(Map.of("enforcement", "Enforce", "keyPrefixes", List.of("dedicated")), false));
        declare(Map.of("enforcement", "Audit", "scope", "Spec"), false);
        assertThat(change().objectKind()).isEqualTo(GuardObjects.BINDINGS);
        CustomResource<NodeTaintGuard> audit = guards.get(GUARD).orElseThrow();
        store(bindings, GuardPolicy.binding("nodeward-guard.banana", audit.spec().enforcement()), List.of(OWNER),
                GuardObjects.labels(""));
        assertThat(change().objectKind()).isEqualTo(GuardObjects.POLICIES);
        storeBoth(audit);
        declare(Map.of("enforcement", "Enforce"), false);
        assertThat(change().objectKind()).as("one that refuses more").isEqualTo(GuardObjects.POLICIES);
    }

    /** An API server of another version may give the policy one more field, so that it always differs. */
    @Test
    void a_binding_that_is_missing_does_not_wait_for_a_policy_that_differs() {
        storeBoth(declare(Map.of(), false));
        store(policies, Tree.of(Map.of("more", true)), List.of(OWNER), GuardObjects.labels(""));
        bindings.clear();
        assertThat(change().objectKind()).isEqualTo(GuardObjects.BINDINGS);
        store(policies, Tree.of(Map.of("more", true)), List.of(), GuardObjects.labels(""));
        assertThat(change().objectKind()).as("a policy of another owner is not put in force").isEqualTo(
                GuardObjects.POLICIES);
    }

    @Test
    void a_field_that_somebody_added_is_replaced_together_with_all_of_the_spec() {
        CustomResource<NodeTaintGuard> guard = declare(Map.of("enforcement", "Enforce"), false);
        storeBoth(guard);
        store(bindings, Tree.of(Map.of("policyName", "nodeward-guard.banana", "validationActions",
                List.of("Deny", "Audit"))), List.of(OWNER), GuardObjects.labels(""));
        ObjectChange change = change();
        assertThat(change.objectKind()).isEqualTo(GuardObjects.BINDINGS);
        assertThat(change.preconditions().resourceVersion()).isEqualTo("7");
        assertThat(((Verb.JsonPatch) change.verb()).patch().operations().getFirst().value())
                .isEqualTo(
                        Tree.of(Map.of("policyName", "nodeward-guard.banana", "validationActions", List.of("Deny"))));
        store(bindings, Tree.of(Map.of("policyName", "nodeward-guard.banana", "validationActions", List.of("Deny"),
                "matchResources", Map.of())), List.of(OWNER), GuardObjects.labels(""));
        assertThat(change().objectKind()).as("a field more").isEqualTo(GuardObjects.BINDINGS);
    }

    @Test
    void owner_and_labels_are_put_back_and_other_labels_stay() {
        CustomResource<NodeTaintGuard> guard = declare(Map.of(), false);
        storeBoth(guard);
        Tree spec = policies.values().iterator().next().spec();
        store(policies, spec, List.of(), GuardObjects.labels(""));
        assertThat(change().objectKind()).isEqualTo(GuardObjects.POLICIES);
        store(policies, spec, List.of(OWNER), Map.of("team", "a"));
        assertThat(((Verb.JsonPatch) change().verb()).patch().operations().getLast().value())
                .matches(labels -> labels.at("team").string().equals("a")
                        && labels.at("nodeward.io/component").string().equals("guard"));
        Map<String, String> more = new HashMap<>(GuardObjects.labels(""));
        more.put("team", "a");
        store(policies, spec, List.of(OWNER), more);
        assertThat(decide()).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_guard_with_a_fault_writes_nothing_and_says_so() {
        declare(Map.of("scope", "Status"), false);
        assertThat(((Decision.Blocked) decide()).by().message()).contains("spec.scope");
    }

    @Test
    void of_a_guard_that_is_gone_or_being_deleted_nothing_is_written() {
        assertThat(decide()).isInstanceOf(Decision.Gone.class);
        declare(Map.of(), true);
        assertThat(decide()).isInstanceOf(Decision.Gone.class);
    }

    @Test
    void nodewards_with_other_watch_filters_have_objects_of_their_own() {
        GuardObjects objects = reconciler("Team_A").objects();
        assertThat(objects.key(GUARD).name()).isEqualTo("nodeward-guard.banana.team-a");
        assertThat(objects.map(null, named("nodeward-guard.banana.team-a"))).containsExactly(GUARD);
        assertThat(objects.map(null, named("nodeward-guard.banana"))).isEmpty();
        GuardObjects unfiltered = reconciler("").objects();
        assertThat(unfiltered.map(named("nodeward-guard.banana"), null)).containsExactly(GUARD);
        assertThat(unfiltered.map(null, named("other"))).isEmpty();
    }

    private static CustomResource<Tree> named(String name) {
        return new CustomResource<>(new Metadata(ObjectKey.clusterScoped(name), "u", "1", Map.of(), Map.of(), List.of(),
                false), 1, Tree.ABSENT, List.of());
    }

    @Test
    void one_object_of_two_is_not_reported_as_in_effect() {
        CustomResource<NodeTaintGuard> guard = declare(Map.of(), false);
        storeBoth(guard);
        Outcome inEffect = new Outcome.InEffect(List.of(), Optional.empty());
        assertThat(reported(guard, inEffect)).containsExactly(inEffect);
        bindings.clear();
        assertThat(reported(guard, inEffect)).singleElement().isInstanceOf(Outcome.Waiting.class);
        assertThat(reported(guard, new Outcome.Failed())).containsExactly(new Outcome.Failed());
    }

    private List<Outcome> reported(CustomResource<NodeTaintGuard> guard, Outcome outcome) {
        List<Outcome> all = new ArrayList<>();
        StatusReporter<ObjectKey> status = new StatusReporter<>() {
            @Override
            public Duration report(ObjectKey key, Target target, Outcome shown) {
                all.add(shown);
                return Duration.ZERO;
            }

            @Override
            public void unknown(ObjectKey key) {}

            @Override
            public void forget(ObjectKey key) {}
        };
        new GuardStatus(status, reconciler("")).report(GUARD, Target.of(NodeTaintGuard.DEFINITION, guard), outcome);
        return all;
    }
}
