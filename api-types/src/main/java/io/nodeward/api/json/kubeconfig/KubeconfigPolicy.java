package io.nodeward.api.json.kubeconfig;

import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Accepted;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Verdict;
import java.net.URI;

/**
 * Where kubeconfigs from Secrets may point, and how safely. Whoever may write such a Secret chooses to whom this
 * process talks, and whether somebody between the two may listen.
 *
 * @param insecure whether {@code insecure-skip-tls-verify}, and {@code http} to another machine, are accepted
 * @param servers hosts that a server or proxy may have
 */
public record KubeconfigPolicy(boolean insecure, AllowedServers servers) {
    /** Any server at no reserved address, if it proves who it is. */
    public static final KubeconfigPolicy DEFAULT = new KubeconfigPolicy(false, AllowedServers.UNRESERVED);

    /** As {@link SecretKubeconfig#judge}, and by this policy. */
    public Verdict judge(String text) {
        Verdict verdict = SecretKubeconfig.judge(text);
        if (verdict instanceof Accepted accepted) {
            try {
                check(accepted.cluster());
            } catch (Defect defect) {
                return new Refused(defect.what());
            }
        }
        return verdict;
    }

    private void check(Section cluster) {
        URI server = URI.create(cluster.text("server").orElse(""));
        allowed("cluster.server", server.getHost());
        cluster.text("proxy-url").ifPresent(url -> allowed("cluster.proxy-url", URI.create(url).getHost()));
        if (insecure) {
            return;
        }
        if (cluster.flag("insecure-skip-tls-verify")) {
            throw new Defect("cluster.insecure-skip-tls-verify is not allowed here (--cluster-insecure-tls)");
        }
        boolean leaves = !AllowedServers.isLoopback(server.getHost()) || cluster.has("proxy-url");
        if (server.getScheme().equals("http") && leaves) {
            throw new Defect("cluster.server is http, over which anybody reads along (--cluster-insecure-tls)");
        }
    }

    private void allowed(String field, String host) {
        if (!servers.allow(host)) {
            throw new Defect(field + ": host " + host + " is not among those allowed (--cluster-servers)");
        }
    }
}
