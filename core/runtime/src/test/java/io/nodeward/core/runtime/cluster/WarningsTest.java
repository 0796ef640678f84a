package io.nodeward.core.runtime.cluster;

import static org.awaitility.Awaitility.await;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WarningsTest {
    @Test
    void after_a_write_that_ended_in_an_error_of_the_jvm_others_are_written() {
        AtomicInteger written = new AtomicInteger();
        Transport transport = new Transport() {
            @Override
            public Answer exchange(Call call) {
                if (written.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("of the test");
                }
                return new Answer(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                Warnings warnings = new Warnings(new ApiServer(transport), InstantSource.system(), timers, true)) {
            Event.Regarding cluster = new Event.Regarding("v1", "Cluster", new ObjectKey("fleet", "c"), "uid", "1");
            warnings.report("test", cluster, Map.of("One", "a"));
            warnings.report("test", cluster, Map.of("One", "b"));
            await().until(() -> written.get() == 2);
        }
    }
}
