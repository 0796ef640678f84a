package io.nodeward.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The authorities that the JVM trusts where a kubeconfig names none: those of a package. The file of the JDK may have others,
 * which the owner of the build machine has added.
 */
final class TrustStore {
    static final String PATH = "opt/java/lib/security/cacerts";
    static final Path AUTHORITIES = Path.of("/usr/share/ca-certificates/mozilla");

    private TrustStore() {}

    /** @param folder of files in PEM, one certificate each */
    static void write(Path folder, Path file) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate certificate : certificates(folder)) { // names of files depend on the locale
                store.setCertificateEntry(store.size() + " " + certificate.getSubjectX500Principal().getName(),
                        certificate);
            }
            Files.deleteIfExists(file); // it may be read-only
            try (OutputStream content = Files.newOutputStream(file)) {
                store.store(content, null); // with a password, the file would have a salt, and be another each time
            }
        } catch (GeneralSecurityException e) {
            throw new ImageException(folder + " has a file that is no certificate", e);
        } catch (NoSuchFileException e) {
            throw new ImageException("there is no " + e.getMessage() + "; apt-get install ca-certificates", e);
        }
    }

    private static List<X509Certificate> certificates(Path folder) throws IOException, CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                try (InputStream content = Files.newInputStream(file)) {
                    certificates.add((X509Certificate) factory.generateCertificate(content));
                }
            }
        }
        return certificates;
    }
}
