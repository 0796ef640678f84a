package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyTest {
    @ParameterizedTest(name = "{1}")
    @CsvSource({
            "rsa.crt, rsa-pkcs1.pem, RSA", "rsa.crt, rsa-pkcs8.pem, RSA", "ec.crt, ec-sec1.pem, EC",
            "ec.crt, ec-sec1-with-parameters.pem, EC", "ec.crt, ec-pkcs8.pem, EC"
    })
    void every_form_that_openssl_writes_is_the_certificates_key_and_written_as_pkcs8(
            String certificate, String file, String algorithm) throws GeneralSecurityException {
        PrivateKey key = PemKey.read("k", Keys.bytes(file));
        assertThat(key.getAlgorithm()).isEqualTo(algorithm);
        assertThat(verifies(certificate, key)).isTrue();
        String written = PemKey.written(key);
        assertThat(written).startsWith("-----BEGIN PRIVATE KEY-----\n");
        assertThat(verifies(certificate, PemKey.read("k", written.getBytes(StandardCharsets.US_ASCII)))).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
            "ed25519.pem, 'k is damaged, or neither an RSA nor an EC key'", "rsa.crt, k holds no private key in PEM"
    })
    void a_file_with_no_key_that_can_be_used_is_refused(String file, String why) {
        assertThatThrownBy(() -> PemKey.read("k", Keys.bytes(file))).hasMessage(why).hasNoCause();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
            "ENCRYPTED, 'k is encrypted, which is not supported'", "DSA, k is of a kind that is not supported"
    })
    void a_kind_of_key_that_cannot_be_used_is_named(String kind, String why) {
        byte[] pem = Keys.pem(kind + " PRIVATE KEY", new byte[]{1});
        assertThatThrownBy(() -> PemKey.read("k", pem)).hasMessage(why).hasNoCause();
    }

    /** Lengths that lie: of 2 GiB, of more than there is, negative, without end; outside and inside. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
            "30847fffffff", "308480000000", "3084ffffffff", "3080", "3083ffffff", "3082ffff020100", "30", "3081",
            "3009020100" + "02847fffffff", "3009020101" + "04847fffffff", "300c020101" + "040101" + "a0847fffffff",
            "300e020101" + "040101" + "a00606847fffffff", "3008020101" + "0403ffff"
    })
    void a_length_that_lies_is_refused_and_nothing_of_that_length_allocated(String der) {
        for (String kind : new String[]{"RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"}) {
            byte[] pem = Keys.pem(kind, HexFormat.of().parseHex(der));
            assertThatThrownBy(() -> PemKey.read("k", pem))
                    .hasMessage("k is damaged, or neither an RSA nor an EC key")
                    .hasNoCause();
        }
    }

    @Test
    void a_key_cut_off_anywhere_is_refused() {
        for (String file : new String[]{"rsa-pkcs1.pem", "ec-sec1.pem", "ec-pkcs8.pem"}) {
            String kind = Keys.text(file).replaceAll("(?s)-----BEGIN ([A-Z ]+)-----.*", "$1");
            byte[] der = Base64Data.decoded("k", Keys.text(file).replaceAll("-----[^-]+-----", ""));
            assertThat(PemKey.read("k", Keys.pem(kind, der))).isNotNull();
            for (int length = 1; length < der.length; length++) {
                byte[] pem = Keys.pem(kind, java.util.Arrays.copyOf(der, length));
                assertThatThrownBy(() -> PemKey.read("k", pem)).hasMessageStartingWith("k is damaged");
            }
        }
    }

    @Test
    void an_rsa_key_whose_numbers_would_keep_a_processor_busy_is_refused() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        RSAPrivateCrtKey good = (RSAPrivateCrtKey) generator.generateKeyPair().getPrivate();
        assertThat(PemKey.read("k", Keys.pem("PRIVATE KEY", good.getEncoded()))).isEqualTo(good);
        byte[] bad = KeyFactory.getInstance("RSA")
                .generatePrivate(new RSAPrivateCrtKeySpec(
                        good.getModulus(), good.getPublicExponent(), good.getPrivateExponent(),
                        BigInteger.ONE.shiftLeft(100_000), good.getPrimeQ(), good.getPrimeExponentP(),
                        good.getPrimeExponentQ(), good.getCrtCoefficient()))
                .getEncoded();
        assertThatThrownBy(() -> PemKey.read("k", Keys.pem("PRIVATE KEY", bad)))
                .hasMessageStartingWith("k is damaged");
    }

    private static boolean verifies(String file, PrivateKey key) throws GeneralSecurityException {
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Keys.bytes(file)));
        Signature signature = Signature.getInstance("SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA"));
        signature.initSign(key);
        signature.update((byte) 1);
        byte[] signed = signature.sign();
        signature.initVerify(certificate);
        signature.update((byte) 1);
        return signature.verify(signed);
    }
}
