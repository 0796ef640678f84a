package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.json.Endless;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a server whose Nodes have no end. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HaltedReflectorTest extends ReflectorFixture {
    private static final int ENOUGH = 1000;
    private static final String NODE = "{\"metadata\":{\"name\":\"n%d\",\"resourceVersion\":\"%d\"}}";

    private boolean watchList;
    private volatile boolean haltsFirst;
    private final ApiServer api = new ApiServer(new Transport() {
        @Override
        public Response exchange(Request call) {
            boolean watch = call.path().contains("watch=true");
            if (watch && !watchList) {
                return new Response(400, Optional.empty(), InputStream.nullInputStream());
            }
            if (haltsFirst) {
                halt();
            }
            return new Response(200, Optional.empty(),
                    watch ? new Endless("", i -> "{\"type\":\"ADDED\",\"object\":" + NODE.formatted(i, i) + "}")
                            : new Endless("{\"items\":[", i -> NODE.formatted(i, i) + ","));
        }

        @Override
        public void close() {}
    });

    @Override
    ApiServer api() {
        return api;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void when_halted_it_takes_nothing_more_of_what_still_comes(boolean asWatch) {
        watchList = asWatch;
        cache.subscribe((before, after) -> {
            if (cache.size() == ENOUGH) {
                halt();
            }
        });
        Reflector<?> reflector = started(SETTINGS);
        await().until(() -> !reflector.isAlive());
        assertThat(cache.size()).isBetween(ENOUGH, 2 * ENOUGH); // the rest was read ahead
        assertThat(cache.synced()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void when_halted_before_the_answer_is_there_it_takes_nothing_of_it(boolean asWatch) {
        watchList = asWatch;
        haltsFirst = true;
        Reflector<?> reflector = started(SETTINGS);
        await().until(() -> !reflector.isAlive());
        assertThat(cache.size()).isZero();
    }
}
