package io.nodeward.api.json.kubeconfig;

import java.util.Base64;

/** PEM, which is base64 with a label. */
public final class Pem {
    private static final int LINE = 64;

    private Pem() {}

    /** @param label such as {@code CERTIFICATE} */
    public static String written(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(LINE, new byte[]{'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
