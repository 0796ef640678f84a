package io.nodeward.core.spi.connect;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.api.json.kubeconfig.Access.Impersonation;
import io.nodeward.api.json.kubeconfig.Access.Nothing;
import io.nodeward.api.json.kubeconfig.Access.Password;
import io.nodeward.api.json.kubeconfig.Access.Plugin;
import io.nodeward.api.json.kubeconfig.Access.Token;
import io.nodeward.api.json.kubeconfig.Access.TokenFile;
import io.nodeward.api.json.kubeconfig.ExecCredential;
import io.nodeward.core.spi.connect.Identity.Header;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Logs calls in to one API server, the same over every client library. Backends do it by themselves; whoever brings a
 * client of their own may use it in an interceptor. Safe for use by many threads.
 */
public final class Login implements AutoCloseable {
    private final Access access;
    private final List<Header> always = new ArrayList<>();
    private final Optional<PluginRunner> plugin;

    /** @param userAgent sent with every call */
    public Login(Access access, String userAgent, InstantSource clock) {
        this.access = access;
        this.plugin = access.credential() instanceof Plugin with ? Optional.of(new PluginRunner(with.exec(), clock))
                : Optional.empty();
        always.add(new Header("User-Agent", userAgent));
        access.impersonation().ifPresent(this::impersonate);
    }

    private void impersonate(Impersonation who) {
        always.add(new Header("Impersonate-User", who.user()));
        if (!who.uid().isEmpty()) {
            always.add(new Header("Impersonate-Uid", who.uid()));
        }
        who.groups().forEach(group -> always.add(new Header("Impersonate-Group", group)));
        who.extra().forEach((key, values) -> {
            String name = "Impersonate-Extra-" + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
            values.forEach(value -> always.add(new Header(name, value)));
        });
    }

    /**
     * Who asks now: token files are read anew, and a plugin is asked when its last credential has run out.
     *
     * @throws IOException if there is no credential; the message names the file or the plugin, never a credential
     * @throws InterruptedException if the calling thread was interrupted while a plugin ran
     */
    public Identity now() throws IOException, InterruptedException {
        return switch (access.credential()) {
            case Nothing nothing -> with(Optional.empty());
            case Token token -> with(Optional.of("Bearer " + token.token()));
            case TokenFile in -> with(Optional.of("Bearer " + token(in.file())));
            case Password password -> with(Optional.of(basic(password)));
            case Plugin with -> identity(plugin.orElseThrow().credential());
        };
    }

    /** Tells that the server did not accept who asked: a plugin is asked anew before the next call. */
    public void refused(Identity who) {
        plugin.ifPresent(runner -> runner.forget(credential -> identity(credential).equals(who)));
    }

    private Identity identity(ExecCredential credential) {
        Identity identity = with(credential.token().map(token -> "Bearer " + token));
        return new Identity(identity.headers(), credential.certificate().or(access::certificate));
    }

    private Identity with(Optional<String> authorization) {
        List<Header> headers = new ArrayList<>(always);
        authorization.ifPresent(value -> headers.add(new Header("Authorization", value)));
        return new Identity(headers, access.certificate());
    }

    // A control character would be refused later with a message that quotes the token.
    private static String token(Path file) throws NoCredentialException {
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (IOException e) {
            throw new NoCredentialException(file + " cannot be read"); // a decoder's message may quote what it read
        }
        if (!token.matches("[\\x21-\\x7e]+")) {
            throw new NoCredentialException(file + " is empty or holds characters no token has");
        }
        return token;
    }

    private static String basic(Password password) {
        String both = password.username() + ":" + password.password();
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends a plugin that runs. */
    @Override
    public void close() {
        plugin.ifPresent(PluginRunner::close);
    }
}
