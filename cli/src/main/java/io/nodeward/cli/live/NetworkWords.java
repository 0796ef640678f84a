package io.nodeward.cli.live;

import java.util.LinkedHashMap;
import java.util.Map;

/** Why there is no answer, for who does not know in what this is written. */
final class NetworkWords {
    /** By what Java's TLS says of it. */
    private static final Map<String, String> TLS = new LinkedHashMap<>();

    static {
        TLS.put("unable to find valid certification path",
                "the server's certificate is of an authority that the kubeconfig does not name");
        TLS.put("validity check failed", "the server's certificate has expired, or is not valid yet");
        TLS.put("NotAfter", "the server's certificate has expired");
        TLS.put("NotBefore", "the server's certificate is not valid yet");
        TLS.put("not verified", "the server's certificate is of another name");
        TLS.put("No subject alternative", "the server's certificate is of another name");
        TLS.put("No name matching", "the server's certificate is of another name");
        TLS.put("Unsupported or unrecognized SSL message", "what answers there speaks no TLS: is it http:// ?");
        TLS.put("certificate_expired", "the server takes the client's certificate for expired");
        TLS.put("bad_certificate", "the server does not take the client's certificate");
        TLS.put("certificate_unknown", "the server does not take the client's certificate");
        TLS.put("certificate_required", "the server wants a client's certificate, and the kubeconfig has none");
    }

    private static final String CLASS = "\\b(?:[a-z][a-z0-9]*\\.)+[A-Z][A-Za-z0-9]*:? ?";
    private static final String BARE_CLASS = "[A-Z][A-Za-z0-9]*(?:Exception|Error)";

    private NetworkWords() {}

    /** @param words as a transport has them */
    static String of(String words, String server) {
        if (words.startsWith("TLS not agreed")) {
            for (Map.Entry<String, String> known : TLS.entrySet()) {
                if (words.contains(known.getKey())) {
                    return known.getValue() + host(server);
                }
            }
        }
        if (words.matches(BARE_CLASS)) {
            return "the request could not be made" + host(server);
        }
        return (words.contains("Exception") ? words.replaceAll(CLASS, "") : words)
                + (words.equals("host not found") ? host(server) : "");
    }

    private static String host(String server) {
        return server.isEmpty() ? "" : " (" + server + ")";
    }
}
