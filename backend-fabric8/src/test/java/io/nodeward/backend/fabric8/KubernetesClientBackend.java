package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Makes a KubernetesClient by fabric8's own means, as its owner would, and hands it to the backend. */
public final class KubernetesClientBackend implements Backend {
    @Override
    public String name() {
        return "fabric8";
    }

    @Override
    public Transport connect(ClusterAccess access) {
        Access read = Access.of(access.kubeconfig(), access.file());
        if (isLeftToBackend(read)) {
            return new Fabric8Backend().connect(access);
        }
        Config config = config(read, access.userAgent());
        KubernetesClient client = new KubernetesClientBuilder().withConfig(config)
                .withHttpClientFactory(new Closing())
                .build();
        Transport over = Fabric8Backend.over(client);
        return new Transport() {
            @Override
            public Answer exchange(Call call) {
                return over.exchange(call);
            }

            @Override
            public void close() {
                over.close();
                client.close();
            }

            @Override
            public String toString() {
                return over.toString();
            }
        };
    }

    /** Whoever makes a client runs his programs himself, and impersonates whom he likes by himself. */
    private static boolean isLeftToBackend(Access access) {
        return access.impersonation().isPresent() || access.credential() instanceof Access.Plugin;
    }

    /** fabric8's own leaves the JDK's client, with a thread, to the garbage collector. */
    private static final class Closing extends JdkHttpClientFactory {
        private TrackedHttpClient.@Nullable Builder jdk;

        @Override
        protected HttpClient.Builder createNewHttpClientBuilder() {
            jdk = new TrackedHttpClient.Builder(super.createNewHttpClientBuilder());
            return jdk;
        }

        @Override
        protected void closeHttpClient(JdkHttpClientImpl client) {
            jdk.built().shutdownNow();
            super.closeHttpClient(client);
        }
    }

    private static Config config(Access access, String userAgent) {
        ConfigBuilder config = new ConfigBuilder(Config.empty())
                .withMasterUrl(access.server())
                .withUserAgent(userAgent)
                .withTrustCerts(access.trust() instanceof Access.Anyone);
        if (access.trust() instanceof Access.Authorities authorities) {
            config.withCaCertData(base64(PemCertificates.written(authorities.certificates())));
        }
        access.proxy().map(proxy -> "http://" + proxy.host() + ":" + proxy.port())
                .ifPresent(proxy -> config.withHttpProxy(proxy).withHttpsProxy(proxy));
        access.certificate().ifPresent(shown -> config
                .withClientCertData(base64(PemCertificates.written(shown.chain())))
                .withClientKeyData(base64(PemKey.written(shown.key())))
                .withClientKeyAlgo(shown.key().getAlgorithm()));
        return with(access.credential(), config).build();
    }

    private static ConfigBuilder with(Access.Credential credential, ConfigBuilder config) {
        return switch (credential) {
            case Access.Nothing nothing -> config;
            case Access.Token token -> config.withOauthToken(token.token());
            case Access.TokenFile in -> config.withOauthTokenProvider(() -> read(in.file()));
            case Access.Password password ->
                    config.withUsername(password.username()).withPassword(password.password());
            case Access.Plugin plugin -> throw new IllegalArgumentException("its owner runs a plugin");
        };
    }

    private static String read(Path token) {
        try {
            return Files.readString(token).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return name();
    }
}
