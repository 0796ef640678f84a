package io.nodeward.backend.contract;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.Login;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        Config config = config(read, access.userAgent());
        KubernetesClient client = new KubernetesClientBuilder().withConfig(config)
                .withHttpClientFactory(new Closing())
                .withHttpClientBuilderConsumer(http -> {
                    if (read.credential() instanceof Access.Plugin) {
                        Login login = new Login(read, access.userAgent(), InstantSource.system());
                        http.addOrReplaceInterceptor("plugin", new PluginInterceptor(login));
                    }
                })
                .build();
        Transport over = Fabric8Backend.over(client);
        return new Transport() {
            @Override
            public Response exchange(Request call) {
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

    /** fabric8's own leaves the JDK's client, with a thread, to the garbage collector. */
    private static final class Closing extends JdkHttpClientFactory {
        private @Nullable HttpClient built;

        @Override
        protected HttpClient.Builder createNewHttpClientBuilder() {
            return remembering(super.createNewHttpClientBuilder());
        }

        private HttpClient.Builder remembering(HttpClient.Builder builder) {
            return (HttpClient.Builder) Proxy.newProxyInstance(getClass().getClassLoader(),
                    new Class<?>[]{HttpClient.Builder.class}, (proxy, method, arguments) -> {
                        try {
                            Object result = method.invoke(builder, arguments);
                            built = result instanceof HttpClient client ? client : built;
                            return result == builder ? proxy : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        protected void closeHttpClient(JdkHttpClientImpl client) {
            if (built != null) {
                built.shutdownNow();
            }
            super.closeHttpClient(client);
        }
    }

    /** What the guide tells owners whose kubeconfig runs a program. */
    private static final class PluginInterceptor implements Interceptor {
        private final Login login;
        private volatile Identity last = new Identity(List.of(), Optional.empty());

        PluginInterceptor(Login login) {
            this.login = login;
        }

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            try {
                last = login.now();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new UncheckedIOException(new InterruptedIOException());
            }
            last.headers().forEach(header -> builder.setHeader(header.name(), header.value()));
        }

        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            if (response.code() == 401) {
                login.refused(last);
            }
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
        Config built = with(access.credential(), config).build();
        access.impersonation().ifPresent(who -> {
            built.setImpersonateUsername(who.user());
            built.setImpersonateGroups(who.groups().toArray(String[]::new));
            built.setImpersonateExtras(who.extra());
            built.setCustomHeaders(Map.of("Impersonate-Uid", who.uid()));
        });
        return built;
    }

    private static ConfigBuilder with(Access.Credential credential, ConfigBuilder config) {
        return switch (credential) {
            case Access.Nothing nothing -> config;
            case Access.Token token -> config.withOauthToken(token.token());
            case Access.TokenFile in -> config.withOauthTokenProvider(() -> read(in.file()));
            case Access.Password password ->
                    config.withUsername(password.username()).withPassword(password.password());
            case Access.Plugin plugin -> config; // see PluginInterceptor
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
