package io.nodeward.api.meta;

import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reasons in conditions and Events of Nodeward. What each means and what to do about it is in the guide, but for
 * two that no condition shows. The reason of a write
 * that was refused may also be the kind of its object and {@code Rejected}.
 */
public enum Reason {
    // What blocks a Node, a MachinePool or the object of a topology. The most severe is first.
    PROVIDER_ID_NOT_UNIQUE("ProviderIDNotUnique"),
    NODE_CLAIMED_TWICE("NodeClaimedTwice"),
    NODE_REJECTED("NodeRejected"),
    CLASS_NOT_FOUND("ClassNotFound"),
    CONTROL_PLANE_FORBIDDEN("ControlPlaneForbidden"),
    CONTROL_PLANE_WITHOUT_TAINTS("ControlPlaneWithoutTaints"),
    DEFINITIONS_FORBIDDEN("DefinitionsForbidden"),
    DRIFT_RECURRING("DriftRecurring"),
    CLUSTER_NOT_FOUND("ClusterNotFound"),
    FIELD_CONFLICT("FieldConflict"),
    LIST_OWNED_AS_A_WHOLE("ListOwnedAsAWhole"),
    METADATA_TOO_LONG("MetadataTooLong"),
    NO_EXECUTE_NOT_CONFIRMED("NoExecuteNotConfirmed"),
    NODE_NOT_JOINED("NodeNotJoined"),
    REMOVAL_WITHHELD("RemovalWithheld"),
    TAINT_CONTESTED("TaintContested"),
    TAINTS_REJECTED("TaintsRejected"),
    TOO_MANY_TAINTS("TooManyTaints"),

    // What a plan leaves out, corrects or warns of. The most severe is first.
    /** A tracking annotation on the Node held an entry nobody can use. */
    MALFORMED_TRACKING("MalformedTracking"),
    /** The owner declares a key that belongs to Cluster API itself. */
    RESERVED_TAINT("ReservedTaint"),
    /** The owner declares a taint no Node accepts. */
    UNUSABLE_TAINT("UnusableTaint"),
    /** The owner declares a propagation this version does not know. */
    UNKNOWN_PROPAGATION("UnknownPropagation"),
    /** The owner declares one key and effect more than once. */
    DUPLICATE_TAINT("DuplicateTaint"),
    /** An annotation that declares a taint is not of the form for that. */
    UNREADABLE_ANNOTATION("UnreadableTaintAnnotation"),
    /** The owner declares a taint that another controller sets and removes by itself. */
    LIFECYCLE_TAINT("LifecycleTaint"),
    /** A user wrote what the autoscaler skips, or what no Node can have, into an annotation that it reads. */
    UNREADABLE_CAPACITY("UnreadableCapacityEntry"),
    /** A user's entry in an annotation for the autoscaler has another value than what is declared. */
    CAPACITY_OVERRIDE("CapacityEntryOverrides"),
    /** A user wrote two entries for one taint or label; the later one counts. */
    DUPLICATE_CAPACITY("DuplicateCapacityEntry"),
    /** An autoscaler that reads the spec too still counts on a taint that was to be hidden from it. */
    INITIALIZATION_NOT_HIDDEN("OnInitializationNotHidden"),

    // What another controller is expected to do.
    NODES_UNINITIALIZED("NodesUninitialized"),

    // Of node groups of the autoscaler.
    CAPACITY_APPLIED_BY_OTHER("CapacityAppliedByOther"),
    CAPACITY_LABELS_APPLIED_BY_OTHER("CapacityLabelsAppliedByOther"),
    CAPACITY_REFUSED("CapacityRefused"),

    // Of Clusters.
    CLUSTER_TOO_LARGE("ClusterTooLarge"),
    CLUSTER_UNREACHABLE("ClusterUnreachable"),
    CREDENTIALS_REFUSED("CredentialsRefused"),
    KUBECONFIG_REFUSED("KubeconfigRefused"),
    NODES_NOT_WATCHED("NodesNotWatched"),

    // Of each kind of our own.
    IN_EFFECT("InEffect"),
    WAITING("Waiting"),
    INVALID("Invalid"),

    // Of DedicatedNodes.
    TAINT_VALUE("TaintValue"),
    EXCLUSIVE_SETS("ExclusiveSets"),
    SECOND_SHARED_GROUP("SecondSharedGroup"),
    TAINT_OF_OTHERS("TaintOfOthers"),
    LOSES_ALL_NODES("LosesAllNodes"),
    PODS_CUT_OFF("PodsCutOff"),
    DAEMON_SETS_NOT_TOLERATING("DaemonSetsNotTolerating"),
    DAEMON_SETS_REFUSED("DaemonSetsRefused"),
    TOLERATIONS_PENDING("TolerationsPending"),
    NODES_PENDING("NodesPending"),
    /** Nodes that the group gives up lose its taint one after the other. */
    RELEASING("Releasing"),
    TAINT_CONFLICT("TaintConflict"),
    ADMISSION_NOT_REACHED("AdmissionNotReached"),
    NO_CONFLICT("NoConflict"),
    DECLARED("Declared"),
    CONFIRMED("Confirmed"),
    NOT_CONFIRMED("NotConfirmed"),

    // Of DeviceTaintRules and DeviceTaintSlices.
    DEVICE_CLASS_NOT_FOUND("DeviceClassNotFound"),
    EXPRESSION_ERROR("ExpressionError"),
    NOT_PUBLISHED("NotPublished"),
    MEMORY_SHORT("MemoryShort"),
    CLAIM_GETS_NEW_PODS("ClaimGetsNewPods"),
    INVALID_EXPIRY("InvalidExpiry"),
    /** The API server refused a request. Its message is part of another condition's. */
    REFUSED("Refused"),
    /** Nobody knows yet whether the server has rules of its own. It is waited for, and no condition shows it. */
    NOT_ANSWERED("NotAnswered"),
    NOT_SERVED("NotServed"),
    TOO_MANY_DEVICES("TooManyDevices"),
    NOT_WRITTEN("NotWritten"),
    NOT_REPORTED("NotReported"),
    NO_DEVICES("NoDevices"),
    REPORTED("Reported"),
    NO_EFFECT("NoEffect"),
    OTHER_EFFECT("OtherEffect"),
    NOT_IN_EFFECT("NotInEffect"),
    NOT_ENFORCED("NotEnforced"),
    DEVICES_UNKNOWN("DevicesUnknown"),
    PODS_PENDING_EVICTION("PodsPendingEviction"),
    NOT_STARTED("NotStarted"),
    FEATURE_GATE_OFF("FeatureGateOff"),
    COMPLETED("Completed"),
    /** As Kubernetes has it, for who waits for its Events. */
    DEVICE_TAINT_MANAGER_EVICTION("DeviceTaintManagerEviction"),
    DEDICATED_NODES_EVICTION("DedicatedNodesEviction");

    private static final Map<String, Reason> BY_TEXT =
            Stream.of(values()).collect(Collectors.toMap(Reason::text, Function.identity()));

    /** In the order above, and others after them by text: which one a condition shows must not depend on what came first. */
    public static final Comparator<String> MOST_SEVERE_FIRST = Comparator
            .<String>comparingInt(text -> BY_TEXT.containsKey(text) ? BY_TEXT.get(text).ordinal() : values().length)
            .thenComparing(Comparator.naturalOrder());

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** One UpperCamelCase word. */
    public String text() {
        return text;
    }
}
