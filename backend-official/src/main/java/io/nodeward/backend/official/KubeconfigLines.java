package io.nodeward.backend.official;

import io.nodeward.api.json.kubeconfig.Access;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.connect.Identity;
import io.nodeward.core.spi.connect.Login;
import io.nodeward.core.spi.connect.OwnLines;
import java.io.IOException;
import java.time.InstantSource;
import okhttp3.Request;

/** Lines made from a kubeconfig. */
final class KubeconfigLines implements Lines {
    private final Access access;
    private final Login login;
    private final OwnLines<OkLine> lines;

    KubeconfigLines(Access access, String userAgent) {
        this.access = access;
        this.login = new Login(access, userAgent, InstantSource.system());
        this.lines = new OwnLines<>(
                access.certificate(),
                certificate -> new OkLine(new HttpLayer(access, certificate).getHttpClient()));
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
    public OkLine of(Call call, Identity who) {
        return lines.line(call.streaming(), who.certificate());
    }

    @Override
    public void prepare(Request.Builder request, Call call, Identity who) {
        who.headers().forEach(header -> request.addHeader(header.name(), header.value()));
    }

    @Override
    public void retire(OkLine line) {
        lines.retire(line);
    }

    @Override
    public void close() {
        login.close();
        lines.close();
    }
}
