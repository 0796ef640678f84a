package io.nodeward.core.spi.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access.Anyone;
import io.nodeward.api.json.kubeconfig.Access.Authorities;
import io.nodeward.api.json.kubeconfig.Access.ClientCertificate;
import io.nodeward.api.json.kubeconfig.Access.PublicAuthorities;
import io.nodeward.api.json.kubeconfig.PemCertificates;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsTest {
    @Test
    void only_the_named_authorities_are_trusted_not_the_public_ones_as_well() {
        X509TrustManager trust = Tls.trust(new Authorities(certificates("ec.crt", "rsa.crt")));
        assertThat(trust.getAcceptedIssuers())
                .extracting(issuer -> issuer.getSubjectX500Principal().getName())
                .containsExactlyInAnyOrder("CN=ec-test", "CN=rsa-test");
    }

    @Test
    void without_an_authority_the_public_ones_are_trusted() {
        assertThat(Tls.trust(new PublicAuthorities()).getAcceptedIssuers()).hasSizeGreaterThan(20);
    }

    // As Go's and OkHttp's TLS: the JDK alone would take the common name for the host's.
    @Test
    void a_certificate_without_a_subject_alternative_name_names_no_server() throws CertificateException {
        X509Certificate own = certificates("rsa.crt").getFirst();
        X509Certificate[] chain = {own};
        assertThat(own.getSubjectAlternativeNames()).isNull();
        X509TrustManager trust = Tls.trust(new Authorities(List.of(own)));
        assertThatThrownBy(() -> trust.checkServerTrusted(chain, "RSA"))
                .isInstanceOf(CertificateException.class)
                .hasMessage("the certificate has no subject alternative name");
        Tls.trust(new Anyone()).checkServerTrusted(chain, "RSA");
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource({"ec.crt, ec-sec1.pem, EC", "rsa.crt, rsa-pkcs1.pem, RSA"})
    void a_client_certificate_is_shown_with_its_key(String certificate, String key, String algorithm) {
        ClientCertificate shown = new ClientCertificate(
                certificates(certificate), PemKey.read("key", Pems.text(key).getBytes()));
        X509KeyManager manager = (X509KeyManager) Tls.keys(Optional.of(shown))[0];
        String alias = manager.chooseClientAlias(new String[]{algorithm}, null, null);
        assertThat(manager.getPrivateKey(alias)).isEqualTo(shown.key());
        assertThat(manager.getCertificateChain(alias)).containsExactlyElementsOf(shown.chain());
        assertThat(Tls.keys(Optional.empty())).isNull();
    }

    private static List<X509Certificate> certificates(String... names) {
        StringBuilder all = new StringBuilder();
        for (String name : names) {
            all.append(Pems.text(name));
        }
        return PemCertificates.read("authority", all.toString().getBytes());
    }
}
