package io.nodeward.core.rules.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The kinds that Kubernetes 1.36 and 1.37 serve by themselves; a test compares with both. */
final class BuiltInTypes {
    private static final List<String> KINDS = List.of(
            "APIService", "Binding", "CSIDriver", "CSINode", "CSIStorageCapacity", "CertificateSigningRequest",
            "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle", "ComponentStatus", "ConfigMap",
            "ControllerRevision", "CronJob", "CustomResourceDefinition", "DaemonSet", "Deployment", "DeviceClass",
            "DeviceTaintRule", "EndpointSlice", "Endpoints", "Event", "FlowSchema", "HorizontalPodAutoscaler",
            "IPAddress", "Ingress", "IngressClass", "Job", "Lease", "LeaseCandidate", "LimitRange",
            "LocalSubjectAccessReview", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
            "MutatingWebhookConfiguration", "Namespace", "NetworkPolicy", "Node", "PersistentVolume",
            "PersistentVolumeClaim", "Pod", "PodCertificateRequest", "PodDisruptionBudget", "PodTemplate",
            "PriorityClass", "PriorityLevelConfiguration", "ReplicaSet", "ReplicationController", "ResourceClaim",
            "ResourceClaimTemplate", "ResourceQuota", "ResourceSlice", "Role", "RoleBinding", "RuntimeClass", "Secret",
            "SelfSubjectAccessReview", "SelfSubjectReview", "SelfSubjectRulesReview", "Service", "ServiceAccount",
            "ServiceCIDR", "StatefulSet", "StorageClass", "StorageVersion", "StorageVersionMigration",
            "SubjectAccessReview", "TokenReview", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration", "VolumeAttachment", "VolumeAttributesClass");

    static final ResourceTypes TYPES = types();

    private BuiltInTypes() {}

    private static ResourceTypes types() {
        Map<String, String> kinds = new HashMap<>();
        for (String kind : KINDS) {
            String singular = kind.toLowerCase(Locale.ROOT);
            kinds.put(singular, kind);
            kinds.put(plural(singular), kind);
        }
        kinds.put("no", "Node");
        return type -> Optional.ofNullable(kinds.get(type));
    }

    private static String plural(String singular) {
        if (singular.endsWith("s")) {
            return singular.equals("endpoints") ? singular : singular + "es";
        }
        return singular.endsWith("y") ? singular.substring(0, singular.length() - 1) + "ies" : singular + "s";
    }
}
