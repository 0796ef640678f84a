package io.nodeward.backend.contract;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.Authentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import io.kubernetes.client.util.credentials.TokenFileAuthentication;
import io.kubernetes.client.util.credentials.UsernamePasswordAuthentication;
import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.Login;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Makes an ApiClient by the client's own means, as its owner would, and hands it to the backend. */
public final class ApiClientBackend implements Backend {
    @Override
    public String name() {
        return "official";
    }

    @Override
    public Transport connect(ClusterAccess access) {
        Access read = Access.of(access.kubeconfig(), access.file());
        ApiClient client = client(read);
        client.setUserAgent(access.userAgent());
        intercept(client, read, access.userAgent());
        Transport over = OfficialBackend.over(client);
        return new Transport() {
            @Override
            public Response exchange(Request call) {
                return over.exchange(call);
            }

            @Override
            public void close() {
                over.close();
                client.getHttpClient().dispatcher().executorService().shutdown();
                client.getHttpClient().connectionPool().evictAll();
            }

            @Override
            public String toString() {
                return over.toString();
            }
        };
    }

    private static ApiClient client(Access access) {
        ClientBuilder builder = new ClientBuilder().setBasePath(access.server())
                .setVerifyingSsl(!(access.trust() instanceof Access.Anyone));
        if (access.trust() instanceof Access.Authorities authorities) {
            builder.setCertificateAuthority(bytes(PemCertificates.written(authorities.certificates())));
        }
        List<Authentication> authentications = authentications(access);
        builder.setAuthentication(made -> authentications.forEach(one -> one.provide(made)));
        ApiClient client = builder.build();
        Proxy proxy = access.proxy()
                .map(at -> new Proxy(Proxy.Type.HTTP, new InetSocketAddress(at.host(), at.port())))
                .orElse(Proxy.NO_PROXY);
        return client.setHttpClient(client.getHttpClient().newBuilder().proxy(proxy).build());
    }

    /** What the guide tells owners whose kubeconfig runs a program or impersonates: ApiClient does neither. */
    private static void intercept(ApiClient client, Access access, String userAgent) {
        if (access.impersonation().isEmpty() && !(access.credential() instanceof Access.Plugin)) {
            return;
        }
        Login login = new Login(access, userAgent, InstantSource.system());
        client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(chain -> {
            try {
                Identity who = login.now();
                okhttp3.Request.Builder request = chain.request().newBuilder();
                who.headers().forEach(header -> request.removeHeader(header.name()));
                who.headers().forEach(header -> request.addHeader(header.name(), header.value()));
                okhttp3.Response response = chain.proceed(request.build());
                if (response.code() == 401) {
                    login.refused(who);
                }
                return response;
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }).build());
    }

    private static List<Authentication> authentications(Access access) {
        List<Authentication> all = new ArrayList<>();
        access.certificate().ifPresent(shown -> all.add(new ClientCertificateAuthentication(
                bytes(PemCertificates.written(shown.chain())), bytes(PemKey.written(shown.key())))));
        switch (access.credential()) {
            case Access.Nothing nothing -> {}
            case Access.Token token -> all.add(new AccessTokenAuthentication(token.token()));
            case Access.TokenFile in -> all.add(new TokenFileAuthentication(in.file().toString(), Duration.ZERO));
            case Access.Password password ->
                    all.add(new UsernamePasswordAuthentication(password.username(), password.password()));
            case Access.Plugin plugin -> {} // see intercept
        }
        return all;
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return name();
    }
}
