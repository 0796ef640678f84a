package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What somebody may log in with. */
final class UserRules {
    private static final String CERTIFICATE = "client-certificate-data";
    private static final String KEY = "client-key-data";

    private UserRules() {}

    /** The fields that are used. */
    static ObjectNode checked(Section user) {
        user.refuse("exec", "would run a program on the controller");
        user.refuse("auth-provider", "is not supported");
        for (String file : List.of("client-certificate", "client-key", "tokenFile")) {
            user.refuse(file, "names a file of the controller");
        }
        for (String impersonation : List.of("as", "as-uid", "as-groups", "as-user-extra")) {
            user.refuse(impersonation, "(impersonation) is not supported");
        }
        bothOrNone(user, CERTIFICATE, KEY);
        bothOrNone(user, "username", "password");
        if (user.has("token") && user.has("username")) {
            throw new Defect("user has both a token and a username");
        }
        return used(user);
    }

    private static void bothOrNone(Section user, String one, String other) {
        if (user.has(one) != user.has(other)) {
            throw new Defect("user has one of " + one + " and " + other + ", and not the other");
        }
    }

    private static ObjectNode used(Section user) {
        ObjectNode used = JsonNodeFactory.instance.objectNode();
        user.text(CERTIFICATE).ifPresent(data -> used.put(CERTIFICATE, certificates(user.path(CERTIFICATE), data)));
        user.text(KEY).ifPresent(data -> used.put(KEY, key(user.path(KEY), data)));
        user.text("token").ifPresent(token -> used.put("token", token(user.path("token"), token)));
        user.text("username").ifPresent(name -> used.put("username", notEmpty(user.path("username"), name)));
        user.text("password").ifPresent(word -> used.put("password", notEmpty(user.path("password"), word)));
        return used;
    }

    private static String certificates(String field, String data) {
        return Base64Data
                .encoded(PemCertificates.written(PemCertificates.read(field, Base64Data.decoded(field, data))));
    }

    // As PKCS#8, whatever it was: client libraries have parsers of their own for the other forms.
    private static String key(String field, String data) {
        return Base64Data.encoded(PemKey.written(PemKey.read(field, Base64Data.decoded(field, data))));
    }

    // A control character would be refused later with a message that quotes the token.
    static String token(String field, String text) {
        if (!text.strip().matches("[\\x21-\\x7e]+")) {
            throw new Defect(field + " is empty or holds characters no token has");
        }
        return text.strip();
    }

    private static String notEmpty(String field, String text) {
        if (text.isEmpty()) {
            throw new Defect(field + " is empty");
        }
        return text;
    }
}
