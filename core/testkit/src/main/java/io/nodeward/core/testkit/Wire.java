package io.nodeward.core.testkit;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line to the server of a kubeconfig.
 *
 * @param kubeconfig the same access, over this line
 */
record Wire(Relay relay, String kubeconfig) implements AutoCloseable {
    private static final Pattern SERVER = Pattern.compile("(server\"?:\\s*[\"']?)(https?://[^\\s\"',}]+)");

    static Wire to(String kubeconfig) {
        Matcher found = SERVER.matcher(kubeconfig);
        if (!found.find()) {
            throw new IllegalArgumentException("a kubeconfig without a server");
        }
        URI server = URI.create(found.group(2));
        Relay relay = Relay.to(found.group(2));
        // By the same name: a certificate must still fit.
        return new Wire(relay, found.replaceFirst(found.group(1) + server.getScheme() + "://" + server.getHost() + ":"
                + URI.create(relay.url()).getPort() + server.getPath()));
    }

    @Override
    public void close() {
        relay.close();
    }
}
