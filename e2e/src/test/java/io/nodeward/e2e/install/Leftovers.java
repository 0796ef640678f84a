package io.nodeward.e2e.install;

import io.nodeward.e2e.controlplane.AdminClient;
import java.util.ArrayList;
import java.util.List;

/** What releases and their controllers have left in a cluster. */
record Leftovers(AdminClient admin) {
    private static final List<String> ADMISSION = List.of(
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
            "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings");
    private static final List<String> INSTALLED = List.of("/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", "/apis/rbac.authorization.k8s.io/v1/roles",
            "/apis/rbac.authorization.k8s.io/v1/rolebindings", "/api/v1/serviceaccounts", "/apis/batch/v1/jobs",
            "/apis/apps/v1/deployments", "/api/v1/services");
    private static final String OURS = "managed-by%3Dnodeward";

    /** By which Nodeward has API servers ask or refuse. */
    List<String> registered() {
        return ADMISSION.stream().flatMap(kind -> names(kind, OURS).stream()).toList();
    }

    /** With the certificates of webhooks. */
    List<String> secrets() {
        return names("/api/v1/secrets", OURS);
    }

    /** Of releases called nodeward and of their clean-up, but for CRDs. */
    List<String> ofReleases() {
        return INSTALLED.stream().flatMap(kind -> names(kind, "instance%3Dnodeward").stream()).toList();
    }

    private List<String> names(String kind, String label) {
        List<String> names = new ArrayList<>();
        admin.get(kind + "?labelSelector=app.kubernetes.io%2F" + label).path("items")
                .forEach(object -> names.add(object.at("/metadata/name").asText()));
        return names;
    }

    /** All but what Helm deletes. */
    void delete(String namespace) {
        ADMISSION.forEach(kind -> names(kind, OURS).forEach(name -> admin.delete(kind + "/" + name)));
        secrets().forEach(name -> admin.delete("/api/v1/namespaces/" + namespace + "/secrets/" + name));
    }
}
