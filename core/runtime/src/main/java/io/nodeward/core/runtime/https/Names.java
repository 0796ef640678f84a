package io.nodeward.core.runtime.https;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Names and addresses under which a server is reached. */
final class Names {
    private Names() {}

    /** Empty for a name: nobody is asked for its address. */
    static Optional<InetAddress> address(String text) {
        if (!text.contains(":") && !text.matches("[0-9]+(\\.[0-9]+){3}")) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** Whether the certificate is good for all of them. */
    static boolean covers(X509Certificate certificate, List<String> names) {
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            return alternatives != null && names.stream().allMatch(name -> alternatives.stream()
                    .anyMatch(alternative -> same(name, String.valueOf(alternative.get(1)))));
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    private static boolean same(String name, String certified) {
        boolean wildcard = certified.startsWith("*.") && name.indexOf('.') > 0
                && name.substring(name.indexOf('.')).equals(certified.substring(1));
        return name.equals(certified) || wildcard
                || address(name).isPresent() && address(name).equals(address(certified));
    }
}
