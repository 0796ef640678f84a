package io.nodeward.api.json.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The {@code *-data} fields. */
final class Base64Data {
    private Base64Data() {}

    /** @throws Defect if it is empty or no base64; line ends and spaces are left out */
    static byte[] decoded(String field, String text) {
        try {
            byte[] data = Base64.getDecoder().decode(text.replaceAll("\\s", ""));
            if (data.length > 0) {
                return data;
            }
        } catch (IllegalArgumentException e) {
            // said below: the decoder's message quotes a character
        }
        throw new Defect(field + " is empty or not base64");
    }

    static String encoded(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
