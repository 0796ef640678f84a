package io.nodeward.core.rules.label;

import io.nodeward.api.machine.ClusterApi;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which keys an owner may carry to its Node. The domain is the text before the first slash, or the whole key where
 * there is none.
 *
 * <p>Additional patterns are searched for anywhere in the key, as Cluster API's manager does with Go's RE2. Java's
 * syntax is nearly the same; it also knows backreferences and look-around, which RE2 refuses, can take exponential
 * time on a pattern such as {@code (a+)+$}, and treats {@code \z}, {@code \pN} and possessive quantifiers differently
 * in corners.
 */
public final class LabelDomains {
    private static final String ROLE = "node-role.kubernetes.io";
    private static final String RESTRICTION = "node-restriction.kubernetes.io";
    private static final String MANAGED = "node.cluster.x-k8s.io";
    /** Domains, and all below them, of which NodeRestriction lets a kubelet set few labels of its Node. */
    private static final List<String> KUBERNETES = List.of("kubernetes.io", "k8s.io");
    private static final List<String> KUBELET = List.of("kubelet.kubernetes.io", "node.kubernetes.io");
    private static final Set<String> KUBELET_LABELS = Set.of(
            "kubernetes.io/hostname",
            "kubernetes.io/os",
            "kubernetes.io/arch",
            "beta.kubernetes.io/os",
            "beta.kubernetes.io/arch",
            "beta.kubernetes.io/instance-type",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region");

    /**
     * Annotations of the Node that hold bookkeeping or tracking: no sync may set or remove them, whatever a pattern
     * says.
     */
    private static final Set<String> KEPT_ANNOTATIONS = Set.of(
            ClusterApi.TAINTS_FROM_MACHINE,
            ClusterApi.LABELS_FROM_MACHINE,
            ClusterApi.ANNOTATIONS_FROM_MACHINE,
            ClusterApi.CLUSTER_NAME_ANNOTATION,
            ClusterApi.CLUSTER_NAMESPACE_ANNOTATION,
            ClusterApi.MACHINE_ANNOTATION,
            ClusterApi.OWNER_KIND_ANNOTATION,
            ClusterApi.OWNER_NAME_ANNOTATION);

    private LabelDomains() {}

    /** Returns whether a label of a Machine is carried to its Node without any additional pattern. */
    public static boolean isManaged(String key) {
        int end = domainEnd(key);
        return isDomain(key, end, ROLE) || isInDomain(key, end, RESTRICTION) || isInDomain(key, end, MANAGED);
    }

    /** Returns whether NodeRestriction lets a kubelet set this label of its own Node, so that a stolen kubelet could set it. */
    public static boolean isOpenToKubelets(String key) {
        int slash = key.indexOf('/');
        return slash < 0
                || KUBERNETES.stream().noneMatch(domain -> isInDomain(key, slash, domain))
                || KUBELET_LABELS.contains(key)
                || KUBELET.stream().anyMatch(domain -> isInDomain(key, slash, domain));
    }

    /**
     * Returns a key in the domain of which no kubelet may set a label, another one for each key: {@code
     * node-restriction.kubernetes.io/a} of {@code a}, and {@code example.com.node-restriction.kubernetes.io/a} of {@code
     * example.com/a}.
     */
    public static String restricted(String key) {
        int slash = key.indexOf('/');
        return slash < 0
                ? RESTRICTION + "/" + key
                : key.substring(0, slash) + "." + RESTRICTION + key.substring(slash);
    }

    /** Returns whether a label of a Machine is carried to its Node. */
    public static boolean isManaged(String key, List<Pattern> additional) {
        return (isManaged(key) || matches(key, additional)) && !isInterruptible(key);
    }

    /** Returns whether an annotation of a Machine is carried to its Node: one domain only, and what is not ours to keep. */
    public static boolean isManagedAnnotation(String key, List<Pattern> additional) {
        return (isInDomain(key, domainEnd(key), MANAGED) || matches(key, additional)) && !isKeptAnnotation(key);
    }

    /**
     * The one label the upstream manager tracks that is not on the Machine: it comes from the infrastructure's
     * status, which is not read here. It is never added, and where it is tracked it is left alone.
     */
    static boolean isInterruptible(String key) {
        return key.equals(ClusterApi.INTERRUPTIBLE_LABEL);
    }

    static boolean isKeptAnnotation(String key) {
        return KEPT_ANNOTATIONS.contains(key);
    }

    private static boolean matches(String key, List<Pattern> patterns) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(key).find()) {
                return true;
            }
        }
        return false;
    }

    private static int domainEnd(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key.length() : slash;
    }

    private static boolean isDomain(String key, int end, String domain) {
        return end == domain.length() && key.startsWith(domain);
    }

    private static boolean isInDomain(String key, int end, String domain) {
        int start = end - domain.length();
        return start >= 0 && key.startsWith(domain, start) && (start == 0 || key.charAt(start - 1) == '.');
    }
}
