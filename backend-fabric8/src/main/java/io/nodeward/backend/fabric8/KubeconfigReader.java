package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig;
import io.nodeward.core.spi.ClusterAccess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Kubeconfig text to fabric8's Config. What fabric8 would skip without a word (a context that is not there, a user's
 * tokenFile, impersonation, a proxy for https) is refused by name or done here; nothing is taken from the environment.
 * An operator's own file may run plugins and name files; of a text from a Secret only what was checked gets to fabric8.
 */
final class KubeconfigReader {
    private final ClusterAccess access;
    private final String text;
    private final io.fabric8.kubernetes.api.model.Config kubeconfig;

    private KubeconfigReader(ClusterAccess access) {
        this.access = access;
        this.text = access.file().isPresent() ? access.kubeconfig() : judged(access.kubeconfig());
        this.kubeconfig = parsed(text);
    }

    // fabric8 runs exec plugins while it parses, so that it must not see what somebody else wrote.
    private static String judged(String text) {
        return switch (SecretKubeconfig.judge(text)) {
            case SecretKubeconfig.Accepted accepted -> accepted.kubeconfig();
            case SecretKubeconfig.Refused refused -> throw new IllegalArgumentException(refused.defect());
        };
    }

    /**
     * Reads what {@code access} says of its current context.
     *
     * @throws IllegalArgumentException if it cannot be used; the message names the field, never a credential
     */
    static Access read(ClusterAccess access) {
        return new KubeconfigReader(access).read();
    }

    private Access read() {
        String current = text(kubeconfig.getCurrentContext());
        Context context = named("context", current, kubeconfig.getContexts(), c -> c.getName(), c -> c.getContext());
        Cluster cluster =
                named("cluster", context.getCluster(), kubeconfig.getClusters(), c -> c.getName(), c -> c.getCluster());
        AuthInfo user = text(context.getUser()).isEmpty()
                ? new AuthInfo()
                : named("user", context.getUser(), kubeconfig.getUsers(), u -> u.getName(), u -> u.getUser());
        checkCluster(cluster);
        checkUser(user);
        boolean plugin = user.getExec() != null || user.getAuthProvider() != null;
        Config config = plugin ? withPlugin(current) : Config.fromKubeconfig(text);
        resolve(config.getCaCertFile(), config::setCaCertFile);
        resolve(config.getClientCertFile(), config::setClientCertFile);
        resolve(config.getClientKeyFile(), config::setClientKeyFile);
        proxy(text(cluster.getProxyUrl()), config);
        impersonation(user, config);
        config.setRequestRetryBackoffLimit(0); // retries are core's
        Optional<Path> tokenFile = Optional.of(text(user.getTokenFile())).filter(f -> !f.isEmpty()).map(this::resolved);
        return new Access(config, tokenFile, plugin, access.userAgent());
    }

    private static io.fabric8.kubernetes.api.model.Config parsed(String text) {
        try {
            var parsed = Serialization.unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
            if (parsed != null) {
                return parsed;
            }
        } catch (RuntimeException e) {
            // Not kept as the cause: a parser's message quotes the text, credentials and all.
            throw new IllegalArgumentException("the kubeconfig is no YAML of a kubeconfig");
        }
        throw new IllegalArgumentException("the kubeconfig is empty");
    }

    // Only a Config that knows its file lets fabric8 ask the plugin again when a credential has run out.
    private Config withPlugin(String context) {
        try {
            return Config.fromKubeconfig(context, access.file().orElseThrow().toFile());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("exec or auth-provider of context " + context + " gave no credentials");
        }
    }

    private static void checkCluster(Cluster cluster) {
        String server = text(cluster.getServer());
        refuseIf(server.isEmpty(), "server is missing");
        refuseIf(!server.matches("https?://[^/@\\s]+(/[^@\\s?#]*)?"), "server is not an https:// or http:// URL");
        refuseIf(!text(cluster.getTlsServerName()).isEmpty(), "tls-server-name is not supported");
        String proxy = text(cluster.getProxyUrl());
        refuseIf(proxy.contains("@"), "credentials in proxy-url are not supported");
        refuseIf(
                !proxy.isEmpty() && !proxy.matches("http://[^/\\s]+:[0-9]+/?"),
                "proxy-url is not of the form http://host:port, the only one supported");
    }

    private static void checkUser(AuthInfo user) {
        boolean token = !(text(user.getToken()) + text(user.getTokenFile())).isEmpty();
        boolean basic = !text(user.getUsername()).isEmpty();
        boolean certificate = !(text(user.getClientCertificate()) + text(user.getClientCertificateData())).isEmpty();
        boolean key = !(text(user.getClientKey()) + text(user.getClientKeyData())).isEmpty();
        refuseIf(token && basic, "the user has both a token and a username");
        refuseIf(basic && text(user.getPassword()).isEmpty(), "the user has a username and no password");
        refuseIf(certificate != key, "the user has only one of client-certificate and client-key");
    }

    // fabric8 looks at httpsProxy alone for an https server, and fills it from an https:// proxy-url alone.
    private static void proxy(String url, Config config) {
        if (!url.isEmpty()) {
            config.setHttpProxy(url);
            config.setHttpsProxy(url);
        }
    }

    private static void impersonation(AuthInfo user, Config config) {
        if (text(user.getAs()).isEmpty()) {
            return;
        }
        config.setImpersonateUsername(user.getAs());
        config.setImpersonateGroups(user.getAsGroups().toArray(String[]::new));
        Map<String, List<String>> extra = user.getAsUserExtra();
        config.setImpersonateExtras(extra == null ? Map.of() : new HashMap<>(extra));
        if (!text(user.getAsUid()).isEmpty()) {
            config.setCustomHeaders(Map.of("Impersonate-Uid", user.getAsUid()));
        }
    }

    private void resolve(@Nullable String path, Consumer<String> setter) {
        if (path != null) {
            setter.accept(resolved(path).toString());
        }
    }

    private Path resolved(String path) {
        return access.file().orElseThrow().toAbsolutePath().resolveSibling(path).normalize();
    }

    // kubectl takes no second entry of a name either; fabric8 would take the last.
    private static <N, T> T named(
            String what, @Nullable String name, @Nullable List<N> all, Function<N, String> names, Function<N, T> body) {
        String where = what.equals("context") ? "current-context" : what + " of the context";
        refuseIf(text(name).isEmpty(), where + " is missing");
        List<N> found = all == null ? List.of() : all.stream().filter(n -> text(name).equals(names.apply(n))).toList();
        refuseIf(found.size() > 1, "there are two entries of " + what + " " + name);
        if (found.isEmpty() || body.apply(found.getFirst()) == null) {
            throw new IllegalArgumentException("there is no " + what + " " + name);
        }
        return body.apply(found.getFirst());
    }

    private static void refuseIf(boolean bad, String why) {
        if (bad) {
            throw new IllegalArgumentException(why);
        }
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
