package io.nodeward.api.json.kubeconfig;

import io.nodeward.api.json.kubeconfig.Access.Credential;
import io.nodeward.api.json.kubeconfig.Access.Impersonation;
import io.nodeward.api.json.kubeconfig.Access.Nothing;
import io.nodeward.api.json.kubeconfig.Access.Password;
import io.nodeward.api.json.kubeconfig.Access.Plugin;
import io.nodeward.api.json.kubeconfig.Access.Token;
import io.nodeward.api.json.kubeconfig.Access.TokenFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a user of an operator's own kubeconfig says with each request. */
final class CredentialReader {
    private CredentialReader() {}

    static Credential read(Section user, Section cluster, Path file) {
        user.refuseGiven("auth-provider", "is not supported; an exec plugin does the same");
        Optional<String> token = user.given("token");
        Optional<String> tokenFile = user.given("tokenFile");
        Optional<String> username = user.given("username");
        if (username.isPresent() != user.given("password").isPresent()) {
            throw new Defect("user has one of username and password, and not the other");
        }
        if (username.isPresent() && (token.isPresent() || tokenFile.isPresent())) {
            throw new Defect("user has both a token and a username");
        }
        if (user.section("exec").isPresent()) {
            if (Stream.of(token, tokenFile, username).anyMatch(Optional::isPresent)) {
                throw new Defect("user has both exec and a token or username");
            }
            return new Plugin(ExecPlugin.read(user.section("exec").get(), cluster, file));
        }
        // As for kubectl, what is in the file is newer.
        return tokenFile.<Credential>map(
                name -> new TokenFile(AccessReader.resolved(user.path("tokenFile"), name, file)))
                .or(() -> token.map(text -> new Token(UserRules.token(user.path("token"), text))))
                .or(() -> username.map(name -> new Password(name, user.given("password").orElseThrow())))
                .orElseGet(Nothing::new);
    }

    static Optional<Impersonation> impersonation(Section user) {
        List<String> groups = user.texts("as-groups");
        Map<String, List<String>> extra = new LinkedHashMap<>();
        user.section("as-user-extra")
                .ifPresent(all -> all.fields().fieldNames().forEachRemaining(key -> extra.put(key, all.texts(key))));
        Optional<String> uid = user.given("as-uid");
        Optional<String> as = user.given("as");
        if (as.isEmpty() && (uid.isPresent() || !groups.isEmpty() || !extra.isEmpty())) {
            throw new Defect("user.as is missing, which as-uid, as-groups and as-user-extra belong to");
        }
        Stream.of(as.stream(), uid.stream(), groups.stream(), extra.values().stream().flatMap(List::stream))
                .flatMap(values -> values)
                .forEach(CredentialReader::checkHeader);
        return as.map(name -> new Impersonation(name, uid.orElse(""), groups, extra));
    }

    // It is sent as a header; client libraries differ in what they do with other characters.
    private static void checkHeader(String value) {
        if (!value.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?")) {
            throw new Defect("user.as and what belongs to it may hold visible ASCII characters alone");
        }
    }
}
