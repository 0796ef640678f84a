package io.nodeward.core.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuntimeModuleTest {
    @Test
    void what_fails_to_close_keeps_nothing_else_open() throws Exception {
        RuntimeModule module = new RuntimeModule(
                new RuntimeConfig(new Unclosable(), "", Optional.empty(), ClusterSettings.DEFAULT, "", List.of(""),
                        false,
                        Optional.empty(), Optional.empty(), "test"));
        Injector injector = Guice.createInjector(
                binder -> binder.bind(MeterRegistry.class).toInstance(new SimpleMeterRegistry()), module);
        Timers timers = injector.getInstance(Timers.class);
        injector.getInstance(HomeCluster.class);
        timers.sleep(Duration.ZERO);

        assertThatThrownBy(module::close).isInstanceOf(IllegalStateException.class).hasMessage("planted");
        assertThatThrownBy(() -> timers.sleep(Duration.ZERO)).as("closed after the cluster")
                .isInstanceOf(InterruptedException.class);
        module.close(); // once is enough
    }

    private static final class Unclosable implements Backend, Transport {
        @Override
        public String name() {
            return "unclosable";
        }

        @Override
        public Transport connect(ClusterAccess access) {
            return this;
        }

        @Override
        public Response exchange(Request request) {
            throw new AssertionError("nothing is sent");
        }

        @Override
        public void close() {
            throw new IllegalStateException("planted");
        }
    }
}
