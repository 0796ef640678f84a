package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nodeward.api.json.kubeconfig.Der;
import io.nodeward.api.json.kubeconfig.Pem;
import io.nodeward.api.json.kubeconfig.PemKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    @TempDir
    private Path directory;

    @Test
    void what_is_written_is_read_again() {
        CertificateAuthority authority = new CertificateAuthority("ca");
        var identity = authority.client("jane", List.of("a", "b"));
        Kubeconfig written = new Kubeconfig("https://127.0.0.1:1", authority.certificate(),
                new Kubeconfig.ClientCertificate(identity.certificate(), identity.key()));
        assertThat(Kubeconfig.read(written.writeTo(directory.resolve("k")))).isEqualTo(written);
    }

    @Test
    void files_are_found_beside_the_kubeconfig() throws Exception {
        Files.writeString(directory.resolve("ca.crt"), "roots");
        Path file = Files.writeString(directory.resolve("k"), """
                clusters: [{name: c, cluster: {server: "https://h", certificate-authority: ca.crt}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: other, context: {}}, {name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
        assertThat(Kubeconfig.read(file)).isEqualTo(new Kubeconfig("https://h", "roots", new Kubeconfig.Token("t")));
    }

    @Test
    void a_login_that_needs_a_program_is_refused() throws Exception {
        Path file = Files.writeString(directory.resolve("k"), """
                clusters: [{name: c, cluster: {server: "https://h", certificate-authority-data: ""}}]
                users: [{name: u, user: {exec: {command: login}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
        assertThatIllegalArgumentException().isThrownBy(() -> Kubeconfig.read(file))
                .withMessageContaining("needs a token or a client certificate");
    }

    @Test
    void keys_in_the_older_formats_are_read() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var rsa = (RSAPrivateCrtKey) generator.generateKeyPair().getPrivate();
        assertThat(read("RSA PRIVATE KEY", tail(rsa.getEncoded(), 26))).isEqualTo(rsa);
        var ec = (ECPrivateKey) CertificateAuthority.newKeys().getPrivate();
        byte[] number = Arrays.copyOfRange(tail(ec.getEncoded(), 28), 7, 7 + 32);
        byte[] oldForm = Der.sequence(Der.integer(BigInteger.ONE), Der.octets(number),
                Der.context(0, Der.oid("1.2.840.10045.3.1.7")));
        assertThat(((ECPrivateKey) read("EC PRIVATE KEY", oldForm)).getS()).isEqualTo(ec.getS());
    }

    private static PrivateKey read(String label, byte[] der) {
        return PemKey.read("key", Pem.written(label, der).getBytes(StandardCharsets.US_ASCII));
    }

    // PKCS#8 is a header around the older form; its length is the same for all keys of one kind and size.
    private static byte[] tail(byte[] pkcs8, int header) {
        return Arrays.copyOfRange(pkcs8, header, pkcs8.length);
    }
}
