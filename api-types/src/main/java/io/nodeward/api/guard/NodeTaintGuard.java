package io.nodeward.api.guard;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import java.util.List;
import java.util.Optional;

/**
 * The spec of a NodeTaintGuard: who may change the spec of Nodes.
 *
 * @param scope what is guarded; what is no scope stays as it is written, so that it can be reported
 * @param keyPrefixes how the keys of guarded taints begin; empty for all taints
 */
public record NodeTaintGuard(String scope, List<String> keyPrefixes, Exempt exempt, EnforcementMode enforcement) {
    public static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("nodeward.io", "v1alpha1", "NodeTaintGuard", "nodetaintguards", false);
    public static final Projection<CustomResource<NodeTaintGuard>> PROJECTION =
            Projection.customResource(Shape.WHOLE, NodeTaintGuard::of);
    /** The scope that guards {@code spec.taints}. */
    public static final String TAINTS = "Taints";
    /** The scope that guards all of {@code spec}. */
    public static final String SPEC = "Spec";

    /**
     * Who may change what is guarded.
     *
     * @param components names of well-known components; empty for all of them, which differs from none
     * @param serviceAccounts as {@code namespace/name}
     */
    public record Exempt(
            Optional<List<String>> components, List<String> users, List<String> groups, List<String> serviceAccounts) {
        public Exempt {
            components = components.map(List::copyOf);
            users = List.copyOf(users);
            groups = List.copyOf(groups);
            serviceAccounts = List.copyOf(serviceAccounts);
        }

        static Exempt of(Tree exempt) {
            Tree components = exempt.at("components");
            return new Exempt(
                    components.equals(Tree.ABSENT) ? Optional.empty() : Optional.of(texts(components)),
                    texts(exempt.at("users")), texts(exempt.at("groups")), texts(exempt.at("serviceAccounts")));
        }
    }

    public NodeTaintGuard {
        keyPrefixes = List.copyOf(keyPrefixes);
    }

    /** Reads a spec. A field that is not as the schema has it counts as missing. */
    public static NodeTaintGuard of(Tree spec) {
        return new NodeTaintGuard(
                spec.at("scope").equals(Tree.ABSENT) ? TAINTS : spec.at("scope").string(),
                texts(spec.at("keyPrefixes")),
                Exempt.of(spec.at("exempt")),
                EnforcementMode.of(spec.at("enforcement")));
    }

    private static List<String> texts(Tree items) {
        return items.elements().stream().map(Tree::string).toList();
    }
}
