package io.nodeward.backend.fabric8;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.nodeward.core.spi.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** Two lines made from a kubeconfig, so that watches take no stream from the other calls. */
final class OwnLines implements Lines {
    private final Access access;
    private final Tls tls;
    private final Optional<String> authorization;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<OwnLine> retired = new ArrayList<>();
    private OwnLine plain;
    private OwnLine streaming;
    private boolean closed;

    OwnLines(Access access) {
        this.access = access;
        this.tls = Tls.of(access.config());
        this.authorization = authorization(access);
        this.plain = line();
        this.streaming = line();
    }

    private OwnLine line() {
        return new OwnLine(access, tls, executor);
    }

    @Override
    public String server() {
        return access.server();
    }

    @Override
    public Line of(Call call) {
        lock.lock();
        try {
            return call.streaming() ? streaming : plain;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void prepare(HttpRequest.Builder request, Call call) throws IOException {
        request.header("User-Agent", access.userAgent());
        Map<String, String> more = access.config().getCustomHeaders();
        if (more != null) {
            more.forEach(request::header);
        }
        if (access.tokenFile().isPresent()) {
            request.header("Authorization", bearer(Files.readString(access.tokenFile().get())));
        } else {
            authorization.ifPresent(value -> request.header("Authorization", value));
        }
    }

    private static Optional<String> authorization(Access access) {
        Config config = access.config();
        if (access.plugin()) {
            return Optional.empty(); // fabric8's interceptor adds it
        }
        if (config.getUsername() != null) {
            return Optional.of(HttpClientUtils.basicCredentials(config.getUsername(), config.getPassword()));
        }
        return Optional.ofNullable(config.getAutoOAuthToken()).map(OwnLines::bearer);
    }

    // A control character would be refused later with a message that quotes the token.
    private static String bearer(String token) {
        if (!token.strip().matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException("the user's token is empty or holds characters no token has");
        }
        return "Bearer " + token.strip();
    }

    @Override
    public void retire(Line line) {
        lock.lock();
        try {
            retired.removeIf(OwnLine::isOver);
            if (closed) {
                return;
            }
            if (line == plain) {
                retired.add(plain);
                plain.retire();
                plain = line();
            } else if (line == streaming) {
                retired.add(streaming);
                streaming.retire();
                streaming = line();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<OwnLine> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            all.addAll(retired);
            all.add(plain);
            all.add(streaming);
        } finally {
            lock.unlock();
        }
        all.forEach(OwnLine::close);
        executor.shutdownNow();
    }
}
