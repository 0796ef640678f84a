package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A pod, with what makes it a member of groups.
 *
 * @param serviceAccount its name; {@code default} if the pod names none
 * @param resources names of what any of its containers requests, init containers too
 * @param claims of devices: of a template only until a claim has been made of it, as the template may be replaced later
 * @param nodeGiven whether its author chose its Node; a scheduler's choice, which is a binding, leaves no trace in managedFields
 */
public record CandidatePod(
        Pod pod, String serviceAccount, Set<String> resources, List<PodClaim> claims, boolean nodeGiven)
        implements KubernetesObject {
    static final List<List<String>> PARTS = List.of(
            List.of("nodeName"), List.of("tolerations"), List.of("serviceAccountName"), List.of("resourceClaims"),
            List.of("containers", "resources"), List.of("initContainers", "resources"));
    /** Claims that are kept of a pod when memory is short. */
    private static final int FEW_CLAIMS = 8;
    private static final Shape SPEC = Shape.of(PARTS);
    static final String GENERATED = "resourceClaimStatuses";
    private static final Shape STATUS =
            Shape.of(List.of(List.of("phase"), List.of("qosClass"), List.of(GENERATED, "name"),
                    List.of(GENERATED, "resourceClaimName")));
    private static final List<String> NODE_NAME = List.of("fieldsV1", "f:spec", "f:nodeName");
    private static final Shape METADATA = Shape.of(List.of(List.of("labels"), List.of("annotations", Pod.MIRROR),
            Stream.concat(Stream.of("managedFields"), NODE_NAME.stream()).toList()));
    public static final Projection<CandidatePod> PROJECTION =
            Projection.parts(METADATA, SPEC, STATUS, CandidatePod::stored);
    /** What is read of a pod that is being written: this, and the affinity that it is to be restricted by. */
    public static final Shape WRITTEN = Shape.of(Stream.concat(
            PARTS.stream().map(part -> Stream.concat(Stream.of("spec"), part.stream()).toList()),
            Stream.of(List.of("metadata", "labels"), List.of("metadata", "ownerReferences"),
                    List.of("metadata", "annotations", Pod.MIRROR), List.of("status", GENERATED),
                    List.of("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")))
            .toList());

    public CandidatePod {
        resources = Set.copyOf(resources);
        claims = List.copyOf(claims);
    }

    /** Makes one of a pod's parts, whatever they hold; who set what of them is not known. */
    public static CandidatePod of(Metadata metadata, Tree spec, Tree status) {
        return stored(metadata, Tree.ABSENT, spec, status);
    }

    /** Keeps of a pod that exceeds a bound no more than where it runs, whose it is, its claims and whether it has ended. */
    private static CandidatePod stored(Metadata metadata, Tree managedFields, Tree spec, Tree status) {
        CandidatePod whole = of(metadata, managedFields, spec, status);
        return whole.isTruncated() ? whole.truncated(whole.truncatedFields()) : whole;
    }

    /**
     * Keeps the claims of a pod: by one of them the pod may be a member, and its labels can be made too many later. More claims
     * than are kept of any pod go. Admission refuses to create such a pod, and an update cannot change the claims in its spec.
     *
     * @param fields that have more than is kept
     */
    CandidatePod truncated(List<String> fields) {
        return truncated(fields, claims.size() > Projection.MOST_PARTS ? List.of() : claims);
    }

    private CandidatePod truncated(List<String> fields, List<PodClaim> kept) {
        return new CandidatePod(
                new Pod(metadata().with(Map.of(), metadata().annotations()), pod.nodeName(), List.of(), "", pod.phase(),
                        fields),
                serviceAccount, Set.of(), kept, nodeGiven);
    }

    /** Truncates it as a pod that exceeds a bound. More than a few claims become {@link PodClaim#any}. */
    @Override
    public CandidatePod reduced() {
        return truncated(isTruncated() ? truncatedFields() : List.of("spec" + SHORT_OF_MEMORY),
                claims.size() > FEW_CLAIMS ? List.of(PodClaim.any(key().namespace())) : claims);
    }

    @Override
    public long heapBytes() {
        long texts = Stream.concat(resources.stream(), claims.stream().map(claim -> claim.key().name()))
                .mapToLong(text -> 2 * Metadata.PER_TEXT + text.length()).sum();
        return pod.heapBytes() + pod.tolerations().stream().mapToLong(Toleration::heapBytes).sum()
                + serviceAccount.length() + texts;
    }

    /** Returns whether nobody has looked into it: it has more than is kept of one pod, and may tolerate anything or nothing. */
    public boolean isTruncated() {
        return pod.isTruncated();
    }

    /** Returns whether it is truncated because memory is short, not because it exceeds a bound: admission lets it pass. */
    public boolean isReduced() {
        return truncatedFields().stream().anyMatch(field -> field.endsWith(SHORT_OF_MEMORY));
    }

    @Override
    public List<String> truncatedFields() {
        return pod.truncatedFields();
    }

    private static CandidatePod of(Metadata metadata, Tree managedFields, Tree spec, Tree status) {
        List<Toleration> tolerations = spec.at("tolerations").elements().stream()
                .map(Toleration::of).toList();
        String namespace = metadata.key().namespace();
        return new CandidatePod(
                new Pod(metadata, spec.at("nodeName").string(), tolerations, status.at("qosClass").string(),
                        status.at("phase").string(), PodBounds.exceeded(metadata, spec, status)),
                account(spec),
                PodBounds.resources(spec),
                claims(namespace, spec, status),
                managedFields.elements().stream().anyMatch(each -> each.at(NODE_NAME) instanceof Tree.Fields));
    }

    private static String account(Tree spec) {
        String account = spec.at("serviceAccountName").string();
        return account.isEmpty() ? "default" : account;
    }

    /**
     * Makes one of a pod that is being created, with all that it has.
     *
     * @param key of the request: the object may have no name and no namespace yet
     * @param object read by {@link #WRITTEN}; its author may have given it any status
     */
    public static CandidatePod created(ObjectKey key, Tree object) {
        return of(key, object, Tree.ABSENT);
    }

    /**
     * Makes one of a pod that is being updated, with all that it has.
     *
     * @param stored what it was before: who updates it does not change its status
     */
    public static CandidatePod updated(ObjectKey key, Tree object, Tree stored) {
        return of(key, object, stored.at("status"));
    }

    private static CandidatePod of(ObjectKey key, Tree object, Tree status) {
        Tree metadata = object.at("metadata");
        return of(new Metadata(key, "", "", Texts.map(metadata.at("labels")), Texts.map(metadata.at("annotations")),
                metadata.at("ownerReferences").elements().stream().map(CandidatePod::owner).toList(), false),
                Tree.ABSENT, object.at("spec"), status);
    }

    private static OwnerRef owner(Tree owner) {
        return new OwnerRef(owner.at("apiVersion").string(), owner.at("kind").string(), owner.at("name").string(),
                owner.at("uid").string(), owner.at("controller").equals(Tree.of(true)));
    }

    @Override
    public Metadata metadata() {
        return pod.metadata();
    }

    @Override
    public CandidatePod withResourceVersion(String resourceVersion) {
        return new CandidatePod(pod.withResourceVersion(resourceVersion), serviceAccount, resources, claims, nodeGiven);
    }

    /**
     * Whether it shows a static pod of this Node's kubelet. Anyone who creates a pod may annotate it so, and nothing stored says
     * who did: it counts beside the owner that the admission plugin NodeRestriction demands of kubelets.
     */
    public boolean isMirrorOf(Node node) {
        ObjectKey key = node.key();
        return pod.isMirror() && pod.nodeName().equals(key.name()) && metadata().controller()
                .filter(owner -> owner.kind().equals("Node") && owner.group().isEmpty()
                        && owner.name().equals(key.name())
                        && owner.uid().equals(node.metadata().uid()))
                .isPresent();
    }

    /** The same, with these tolerations behind its own. */
    public CandidatePod tolerating(List<Toleration> more) {
        List<Toleration> all = new ArrayList<>(pod.tolerations());
        all.addAll(more);
        return new CandidatePod(new Pod(pod.metadata(), pod.nodeName(), all, pod.qosClass(), pod.phase(),
                pod.truncatedFields()),
                serviceAccount, resources, claims, nodeGiven);
    }

    /** Whether it has come to its end. */
    public boolean isFinished() {
        return pod.isFinished();
    }

    private static List<PodClaim> claims(String namespace, Tree spec, Tree status) {
        Map<String, String> generated = PodGroupMember.made(status);
        List<PodClaim> claims = new ArrayList<>();
        for (Tree claim : spec.at("resourceClaims").elements()) {
            String own = claim.at("resourceClaimName").string();
            String template = claim.at("resourceClaimTemplateName").string();
            String made = generated.getOrDefault(claim.at("name").string(), own);
            boolean isTemplate = !template.isEmpty() && !generated.containsKey(claim.at("name").string());
            PodClaim found = new PodClaim(isTemplate, new ObjectKey(namespace, isTemplate ? template : made));
            if (!found.key().name().isEmpty()) { // of a template without requests none is made
                claims.add(found);
            }
        }
        return claims;
    }
}
