package io.nodeward.core.fakeapi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a {@link FakeApiServer} is to run.
 *
 * @param port on loopback; 0 takes a free one
 * @param token if there, requests without this bearer token get 401
 * @param kinds served besides the built-in ones
 * @param bookmarkEvery pause between bookmarks of a watch that asked for them
 * @param history changes kept per kind; a watch from before gets 410, like one from before a compaction
 */
public record Options(int port, Optional<String> token, List<Kind> kinds, Duration bookmarkEvery, int history) {
    public static Options defaults() {
        return new Options(0, Optional.empty(), List.of(), Duration.ofSeconds(30), 1 << 15);
    }

    public Options withPort(int value) {
        return new Options(value, token, kinds, bookmarkEvery, history);
    }

    /** Every request must bring this bearer token. kubectl sends none over plain http, and is then refused. */
    public Options withToken(String value) {
        return new Options(port, Optional.of(value), kinds, bookmarkEvery, history);
    }

    public Options withKind(Kind value) {
        List<Kind> more = Stream.concat(kinds.stream(), Stream.of(value)).toList();
        return new Options(port, token, more, bookmarkEvery, history);
    }

    public Options withBookmarkEvery(Duration value) {
        return new Options(port, token, kinds, value, history);
    }

    public Options withHistory(int value) {
        return new Options(port, token, kinds, bookmarkEvery, value);
    }
}
