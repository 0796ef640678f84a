package io.nodeward.backend.fabric8;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.Login;
import io.nodeward.core.spi.connect.OwnLines;
import io.nodeward.core.spi.connect.Tls;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.X509TrustManager;

/** Lines made from a kubeconfig. */
final class KubeconfigLines implements Lines {
    private final Access access;
    private final Login login;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final OwnLines<OwnLine> lines;

    KubeconfigLines(Access access, String userAgent) {
        this.access = access;
        this.login = new Login(access, userAgent, InstantSource.system());
        X509TrustManager trust = Tls.trust(access.trust());
        this.lines = new OwnLines<>(
                access.certificate(),
                certificate -> new OwnLine(ClientSettings.of(access, trust, Tls.keys(certificate)), executor));
    }

    @Override
    public String server() {
        return access.server();
    }

    @Override
    public Identity identity() throws IOException, InterruptedException {
        return login.now();
    }

    @Override
    public void refused(Identity who) {
        login.refused(who);
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
        login.close();
        lines.close();
        executor.shutdownNow();
    }
}
