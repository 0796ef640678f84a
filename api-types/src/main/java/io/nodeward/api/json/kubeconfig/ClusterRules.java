package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** How a server may be reached. */
final class ClusterRules {
    private static final String AUTHORITY = "certificate-authority-data";
    private static final String ANYONE = "insecure-skip-tls-verify";
    private static final int HIGHEST_PORT = 65535;

    private ClusterRules() {}

    /** The fields that are used. */
    static ObjectNode checked(Section cluster) {
        cluster.refuse("certificate-authority", "names a file of the controller; use certificate-authority-data");
        cluster.refuse("tls-server-name", "is not supported");
        ObjectNode used = JsonNodeFactory.instance.objectNode();
        used.put("server", server(cluster));
        cluster.text(AUTHORITY).ifPresent(data -> used.put(AUTHORITY, authorities(cluster, data)));
        if (cluster.flag(ANYONE)) {
            cluster.refuse(AUTHORITY, "and insecure-skip-tls-verify exclude each other");
            used.put(ANYONE, true);
        }
        proxy(cluster).ifPresent(url -> used.put("proxy-url", url));
        return used;
    }

    /** Checked, as it was written. */
    static String server(Section cluster) {
        String text = cluster.text("server").orElse("");
        URI url = url(text).orElseThrow(() -> new Defect("cluster.server is missing or is no http(s) URL"));
        if (text.contains("@")) {
            throw new Defect("cluster.server has credentials in it");
        }
        if (!url.getScheme().matches("https?") || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new Defect("cluster.server is not of the form https://host:port/path or http://host:port/path");
        }
        return text;
    }

    /** Checked, as it was written. */
    static Optional<String> proxy(Section cluster) {
        Optional<String> text = cluster.text("proxy-url");
        if (text.filter(t -> t.contains("@")).isPresent()) {
            throw new Defect("cluster.proxy-url has credentials in it, which are not supported");
        }
        if (text.isPresent() && url(text.get()).filter(ClusterRules::isProxy).isEmpty()) {
            throw new Defect("cluster.proxy-url is not of the form http://host:port, the only one supported");
        }
        return text;
    }

    private static boolean isProxy(URI url) {
        return url.getScheme().equals("http")
                && url.getPort() > 0
                && url.getRawPath().matches("/?")
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    /** Empty unless it has a host, and a port that there can be. */
    private static Optional<URI> url(String text) {
        try {
            return Optional.of(new URI(text))
                    .filter(url -> url.getScheme() != null && url.getHost() != null)
                    .filter(url -> url.getPort() != 0 && url.getPort() <= HIGHEST_PORT);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static String authorities(Section cluster, String data) {
        String field = cluster.path(AUTHORITY);
        return Base64Data
                .encoded(PemCertificates.written(PemCertificates.read(field, Base64Data.decoded(field, data))));
    }
}
