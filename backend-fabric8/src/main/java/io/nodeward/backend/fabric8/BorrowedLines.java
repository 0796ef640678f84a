package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.OwnLines;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Lines with the settings of a client that stays its owner's. */
final class BorrowedLines implements Lines {
    /** Its owner's interceptors say who asks. */
    private static final Identity NOBODY = new Identity(List.of(), Optional.empty());

    private final String server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final OwnLines<OwnLine> lines;

    BorrowedLines(KubernetesClient client) {
        this.server = client.getConfiguration().getMasterUrl().replaceFirst("/$", "");
        ClientSettings settings = ClientSettings.of(client);
        this.lines = new OwnLines<>(Optional.empty(), certificate -> new OwnLine(settings, executor));
    }

    @Override
    public String server() {
        return server;
    }

    @Override
    public Identity identity() {
        return NOBODY;
    }

    @Override
    public void refused(Identity who) {
        // its owner's interceptors know
    }

    @Override
    public OwnLine of(Call call, Identity who) {
        return lines.line(call.streaming(), who.certificate());
    }

    @Override
    public void retire(OwnLine line) {
        lines.retire(line);
    }

    @Override
    public void close() {
        lines.close();
        executor.shutdownNow();
    }
}
