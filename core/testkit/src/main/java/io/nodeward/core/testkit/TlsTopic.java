package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

abstract class TlsTopic extends TransportTopic {
    private Optional<TlsServer> started = Optional.empty();

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

    @ParameterizedTest(name = "{1}")
    @CsvSource({
            "rsa.crt, rsa-pkcs1.key", "rsa.crt, rsa-pkcs8.key", "ec.crt, ec-sec1.key",
            "ec.crt, ec-sec1-with-parameters.key", "ec.crt, ec-pkcs8.key"
    })
    void a_client_certificate_is_shown_whatever_form_its_key_has(String certificate, String key) throws IOException {
        String user = "client-certificate-data: %s, client-key-data: %s"
                .formatted(TlsServer.base64(certificate), TlsServer.base64(key));
        assertThat(api(kubeconfig("127.0.0.1", authority("authority"), user)).get("/version"))
                .asString()
                .contains("CN=contract-client");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"rsa.crt, rsa-pkcs1.key", "ec.crt, ec-sec1.key", "ec.crt, ec-pkcs8.key"})
    void certificates_and_keys_may_be_files_beside_the_kubeconfig(String certificate, String key, @TempDir Path folder)
            throws IOException {
        for (String file : new String[]{"authority.crt", certificate, key}) {
            Files.write(folder.resolve(file), Base64.getDecoder().decode(TlsServer.base64(file)));
        }
        String user = "client-certificate: %s, client-key: %s".formatted(certificate, key);
        ApiServer api = api(kubeconfig("127.0.0.1", "certificate-authority: authority.crt", user), folder);
        assertThat(api.get("/version")).asString().contains("CN=contract-client");
    }

    @Test
    void any_authority_of_a_bundle_may_vouch(@TempDir Path folder) throws IOException {
        byte[] bundle = bytes("# the old one\n" + pem("stranger.crt") + "\n# the new one\n" + pem("authority.crt"));
        Files.write(folder.resolve("bundle.crt"), bundle);
        String data = "certificate-authority-data: " + Base64.getEncoder().encodeToString(bundle);
        assertThat(api(kubeconfig("127.0.0.1", data, "token: t")).get("/version")).asString().isEqualTo("anonymous");
        assertThat(api(kubeconfig("127.0.0.1", "certificate-authority: bundle.crt", "token: t"), folder)
                .get("/version")).asString().isEqualTo("anonymous");
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

    private static String pem(String name) throws IOException {
        return new String(Base64.getDecoder().decode(TlsServer.base64(name)), StandardCharsets.US_ASCII);
    }

    private String kubeconfig(String host, String cluster, String user) {
        return Kubeconfigs.with("server: 'https://%s:%d', %s".formatted(host, tls().port(), cluster), user);
    }
}
