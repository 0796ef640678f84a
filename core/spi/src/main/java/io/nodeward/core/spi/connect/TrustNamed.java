package io.nodeward.core.spi.connect;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Also asks for a subject alternative name, without which the JDK would take the common name; OkHttp, as Go, would not.
 */
final class TrustNamed extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager authorities;

    TrustNamed(X509ExtendedTrustManager authorities) {
        this.authorities = authorities;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authorities.checkServerTrusted(chain, type, socket);
        checkNamed(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authorities.checkServerTrusted(chain, type, engine);
        checkNamed(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authorities.checkServerTrusted(chain, type);
        checkNamed(chain);
    }

    private static void checkNamed(X509Certificate[] chain) throws CertificateException {
        if (chain[0].getSubjectAlternativeNames() == null) {
            throw new CertificateException("the certificate has no subject alternative name");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        authorities.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        authorities.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        authorities.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
