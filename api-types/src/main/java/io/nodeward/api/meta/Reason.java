package io.nodeward.api.meta;

import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The one word with which a condition or an Event of Nodeward says why. What it means and what to do about it is in the guide.
 * Of several that an owner has, its condition shows the one that comes first here.
 */
public enum Reason {
    // Of Machines, MachinePools and what their Nodes are declared by.
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
    NO_EXECUTE_NOT_CONFIRMED("NoExecuteNotConfirmed"),
    NODE_NOT_JOINED("NodeNotJoined"),
    NODES_UNINITIALIZED("NodesUninitialized"),
    REFUSED("Refused"),
    TAINT_CONTESTED("TaintContested"),
    TAINTS_REJECTED("TaintsRejected"),
    TOO_MANY_TAINTS("TooManyTaints"),

    // What a plan leaves out or corrects, while the rest of it goes on.
    MALFORMED_TRACKING("MalformedTracking"),
    RESERVED_TAINT("ReservedTaint"),
    UNUSABLE_TAINT("UnusableTaint"),
    UNKNOWN_PROPAGATION("UnknownPropagation"),
    DUPLICATE_TAINT("DuplicateTaint"),
    UNREADABLE_ANNOTATION("UnreadableTaintAnnotation"),
    LIFECYCLE_TAINT("LifecycleTaint"),
    UNREADABLE_CAPACITY("UnreadableCapacityEntry"),
    CAPACITY_OVERRIDE("CapacityEntryOverrides"),
    DUPLICATE_CAPACITY("DuplicateCapacityEntry"),
    INITIALIZATION_NOT_HIDDEN("OnInitializationNotHidden"),

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
    TOLERATIONS_PENDING("TolerationsPending"),
    NODES_PENDING("NodesPending"),
    TAINT_CONFLICT("TaintConflict"),
    NO_CONFLICT("NoConflict"),
    DECLARED("Declared"),
    CONFIRMED("Confirmed"),
    NOT_CONFIRMED("NotConfirmed"),

    // Of DeviceTaintRules and DeviceTaintSlices.
    DEVICE_CLASS_NOT_FOUND("DeviceClassNotFound"),
    EXPRESSION_ERROR("ExpressionError"),
    NOT_PUBLISHED("NotPublished"),
    CLAIM_GETS_NEW_PODS("ClaimGetsNewPods"),
    INVALID_EXPIRY("InvalidExpiry"),
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
    COMPLETED("Completed"),
    /** As Kubernetes has it, for who waits for its Events. */
    DEVICE_TAINT_MANAGER_EVICTION("DeviceTaintManagerEviction");

    private static final Map<String, Reason> BY_TEXT =
            Stream.of(values()).collect(Collectors.toMap(Reason::text, Function.identity()));

    /** As they are here. Which of several a condition shows must not depend on what comes first; others are last, by text. */
    public static final Comparator<String> IN_ORDER = Comparator
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
