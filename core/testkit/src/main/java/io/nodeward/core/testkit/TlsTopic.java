package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

abstract class TlsTopic extends Topic {
    private Optional<TlsServer> started = Optional.empty();

    TlsTopic(BackendContract contract) {
        super(contract);
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        started = Optional.of(closing(new TlsServer()));
    }

    private TlsServer tls() {
        return started.orElseThrow();
    }

    @Test
    void a_server_certified_by_the_kubeconfigs_authority_is_talked_to() throws IOException {
        assertThat(api(kubeconfig("127.0.0.1", authority("authority"), "token: t")).get("/version"))
                .asString()
                .isEqualTo("anonymous");
    }

    @Test
    void a_client_certificate_is_shown() throws IOException {
        String user = "client-certificate-data: %s, client-key-data: %s"
                .formatted(TlsServer.base64("client.crt"), TlsServer.base64("client.key"));
        assertThat(api(kubeconfig("127.0.0.1", authority("authority"), user)).get("/version"))
                .asString()
                .contains("CN=contract-client");
    }

    @Test
    void certificates_and_keys_may_be_files_beside_the_kubeconfig(@TempDir Path folder) throws IOException {
        for (String file : new String[]{"authority.crt", "client.crt", "client.key"}) {
            Files.write(folder.resolve(file), Base64.getDecoder().decode(TlsServer.base64(file)));
        }
        String user = "client-certificate: client.crt, client-key: client.key";
        String text = kubeconfig("127.0.0.1", "certificate-authority: authority.crt", user);
        ClusterAccess access = new ClusterAccess(text, Optional.of(folder.resolve("kubeconfig")), "contract");
        ApiServer api = new ApiServer(closing(contract().backend().connect(access)));
        assertThat(api.get("/version")).asString().contains("CN=contract-client");
    }

    @ParameterizedTest(name = "{0} certified by {1}")
    @CsvSource({"127.0.0.1, stranger", "localhost, authority"})
    void a_server_certified_by_another_authority_or_for_another_name_gets_no_request(String host, String authority)
            throws IOException {
        ApiServer api = api(kubeconfig(host, authority(authority), "token: t"));
        assertThatThrownBy(() -> api.get("/version"))
                .isInstanceOf(ApiFailure.Unreachable.class)
                .hasMessageContaining("TLS");
        assertThat(tls().requests()).isZero();
    }

    @Test
    void without_an_authority_the_public_ones_have_to_vouch() throws IOException {
        ApiServer api = api(kubeconfig("127.0.0.1", "insecure-skip-tls-verify: false", "token: t"));
        assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(tls().requests()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "localhost"})
    void a_kubeconfig_may_say_that_anyone_will_do(String host) throws IOException {
        assertThat(api(kubeconfig(host, "insecure-skip-tls-verify: true", "token: t")).get("/version"))
                .asString()
                .isEqualTo("anonymous");
    }

    private static String authority(String name) throws IOException {
        return "certificate-authority-data: " + TlsServer.base64(name + ".crt");
    }

    private String kubeconfig(String host, String cluster, String user) {
        String server = "https://" + host + ":" + tls().port() + "', " + cluster + ", unknown: '";
        return FaultyServer.kubeconfigOf(server, user);
    }
}
