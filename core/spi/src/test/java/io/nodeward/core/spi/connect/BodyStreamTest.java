package io.nodeward.core.spi.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BodyStreamTest {
    private final BodyStream stream = new BodyStream(ended -> {});
    private final Source source = new Source();

    /** Gives 16 KiB as often as it is asked, at once. */
    private final class Source implements BodyStream.Source {
        private int asked;
        private boolean cancelled;

        @Override
        public void more() {
            boolean more = true;
            while (more) {
                asked++;
                more = stream.arrived(List.of(ByteBuffer.allocate(16 * 1024)));
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    @Test
    void an_answer_that_nobody_reads_is_fetched_only_so_far() throws IOException {
        stream.start(source);
        assertThat(source.asked).isEqualTo(8);
        assertThat(stream.readNBytes(3 * 16 * 1024)).hasSize(3 * 16 * 1024);
        assertThat(source.asked).isEqualTo(8);
        assertThat(stream.readNBytes(16 * 1024)).hasSize(16 * 1024);
        assertThat(source.asked).isEqualTo(12);
    }

    @Test
    void what_arrived_before_a_cut_is_read_before_the_cut_is_told() throws IOException {
        stream.start(source);
        stream.ended(Optional.of(new IOException("connection reset")));
        assertThat(stream.readNBytes(8 * 16 * 1024)).hasSize(8 * 16 * 1024);
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessageContaining("cut");
    }

    @Test
    void who_reads_for_a_closed_stream_is_told_to_stop() {
        stream.start(source);
        stream.close();
        assertThat(stream.arrived(List.of(ByteBuffer.allocate(1)))).isFalse();
    }

    @Test
    void closing_cancels_the_exchange_once() {
        stream.start(source);
        stream.close();
        assertThat(source.cancelled).isTrue();
        source.cancelled = false;
        stream.close();
        assertThat(source.cancelled).isFalse();
    }

    @Test
    void closing_before_the_head_came_cancels_as_soon_as_it_does() {
        stream.close();
        stream.start(source);
        assertThat(source.cancelled).isTrue();
        assertThat(source.asked).isZero();
    }

    @Test
    void a_complete_answer_is_not_cancelled_so_that_its_connection_can_be_used_again() {
        stream.start(source);
        stream.ended(Optional.empty());
        stream.close();
        assertThat(source.cancelled).isFalse();
    }
}
