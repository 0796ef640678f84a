package io.nodeward.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkWordsTest {
    private static final String SERVER = "https://10.0.0.1";

    /** What the JDK and OkHttp say, as they say it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "TLS not agreed: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable"
                    + " to find valid certification path to requested target"
                    + " | the server's certificate is of an authority that the kubeconfig does not name",
            "TLS not agreed: PKIX path validation failed: java.security.cert.CertPathValidatorException: validity check"
                    + " failed | the server's certificate has expired, or is not valid yet",
            "TLS not agreed: Hostname 10.0.0.1 not verified: | the server's certificate is of another name",
            "TLS not agreed: (certificate_required) Received fatal alert: certificate_required"
                    + " | the server wants a client's certificate, and the kubeconfig has none",
            "TLS not agreed: Unsupported or unrecognized SSL message"
                    + " | what answers there speaks no TLS: is it http:// ?",
            "IllegalStateException | the request could not be made", "host not found | host not found"})
    void java_is_not_heard(String words, String told) {
        assertThat(NetworkWords.of(words, SERVER)).isEqualTo(told + " (https://10.0.0.1)");
    }

    @Test
    void what_is_not_known_is_told_without_names_of_classes() {
        assertThat(NetworkWords.of("TLS not agreed: java.security.cert.NewException: odd", SERVER))
                .isEqualTo("TLS not agreed: odd");
        assertThat(NetworkWords.of("no answer in time", SERVER)).isEqualTo("no answer in time");
    }

    @Test
    void a_password_in_the_url_of_a_server_is_not_told() {
        assertThat(new Route("context x", "https://me:secret@10.0.0.1", "").server()).isEqualTo(SERVER);
    }
}
