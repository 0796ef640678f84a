package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.security.PrivateKey;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsTest {
    @ParameterizedTest(name = "{1}")
    @CsvSource({
            "rsa.crt, rsa-pkcs1.pem, RSA", "rsa.crt, rsa-pkcs8.pem, RSA", "ec.crt, ec-sec1.pem, EC",
            "ec.crt, ec-sec1-with-parameters.pem, EC", "ec.crt, ec-pkcs8.pem, EC"
    })
    void a_client_key_is_read_in_every_form_that_openssl_writes(String certificate, String key, String algorithm)
            throws IOException {
        PrivateKey read = privateKey(Tls.of(config(certificate, key)).keys(), algorithm);
        assertThat(read.getAlgorithm()).isEqualTo(algorithm);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ed25519.pem, neither an RSA nor an EC key", "rsa.crt, no private key in PEM"})
    void a_key_that_cannot_be_used_is_named(String key, String why) throws IOException {
        Config config = config("rsa.crt", key);
        assertThatThrownBy(() -> Tls.of(config)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
    }

    @Test
    void only_the_named_authority_is_trusted_not_the_public_ones_as_well() throws IOException {
        Config config = Config.empty();
        config.setCaCertData(base64("ec.crt"));
        X509TrustManager trust = (X509TrustManager) Tls.of(config).trust()[0];
        assertThat(trust.getAcceptedIssuers())
                .extracting(issuer -> issuer.getSubjectX500Principal().getName())
                .containsExactly("CN=ec-test");
    }

    @Test
    void all_authorities_of_a_bundle_are_trusted() throws IOException {
        Config config = Config.empty();
        String bundle = text("ec.crt") + text("rsa.crt");
        config.setCaCertData(Base64.getEncoder().encodeToString(bundle.getBytes()));
        assertThat(((X509TrustManager) Tls.of(config).trust()[0]).getAcceptedIssuers()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"bm90IGEgY2VydGlmaWNhdGU=", "LS0t"})
    void an_authority_that_is_no_certificate_is_refused(String data) {
        Config config = Config.empty();
        config.setCaCertData(data);
        assertThatThrownBy(() -> Tls.of(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("certificate-authority");
    }

    private static PrivateKey privateKey(KeyManager[] managers, String algorithm) {
        X509KeyManager manager = (X509KeyManager) managers[0];
        return manager.getPrivateKey(manager.chooseClientAlias(new String[]{algorithm}, null, null));
    }

    private static Config config(String certificate, String key) throws IOException {
        Config config = Config.empty();
        config.setClientCertData(base64(certificate));
        config.setClientKeyData(base64(key));
        return config;
    }

    private static String base64(String name) throws IOException {
        return Base64.getEncoder().encodeToString(text(name).getBytes());
    }

    private static String text(String name) throws IOException {
        try (InputStream in = TlsTest.class.getResourceAsStream("/keys/" + name)) {
            return new String(in.readAllBytes());
        }
    }
}
