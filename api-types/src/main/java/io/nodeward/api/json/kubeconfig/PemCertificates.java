package io.nodeward.api.json.kubeconfig;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** One certificate or several. */
public final class PemCertificates {
    private PemCertificates() {}

    /**
     * All of them, in their order.
     *
     * @param field what the exception calls it
     * @throws IllegalArgumentException if there is none, or one that cannot be read; never shows what is in it
     */
    public static List<X509Certificate> read(String field, byte[] pem) {
        List<X509Certificate> all = new ArrayList<>();
        try {
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .forEach(certificate -> all.add((X509Certificate) certificate));
        } catch (CertificateException | RuntimeException e) {
            all.clear(); // and not the cause: it may quote what it read
        }
        if (all.isEmpty()) {
            throw new Defect(field + " holds no certificate in PEM, or one that cannot be read");
        }
        return all;
    }

    /** In PEM, without the comments that may stand between them. */
    public static String written(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            try {
                text.append(Pem.written("CERTIFICATE", certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("a certificate that was read is not encoded", e);
            }
        }
        return text.toString();
    }
}
