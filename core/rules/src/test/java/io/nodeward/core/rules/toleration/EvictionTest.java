package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.toleration.Eviction.After;
import io.nodeward.core.rules.toleration.Eviction.Never;
import io.nodeward.core.rules.toleration.Eviction.Now;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictionTest {
    private static final Taint A = Taint.of("a", "", "NoExecute");
    private static final Taint B = Taint.of("b", "", "NoExecute");

    @Test
    void only_no_execute_evicts() {
        List<Taint> others = List.of(Taint.of("a", "", "NoSchedule"), Taint.of("a", "", "PreferNoSchedule"));

        assertThat(evict(others)).isEqualTo(new Never());
        assertThat(evict(List.of())).isEqualTo(new Never());
        assertThat(evict(List.of(A))).isEqualTo(new Now());
    }

    @Test
    void one_taint_that_nothing_tolerates_evicts_at_once() {
        assertThat(evict(List.of(A, B), Toleration.exists("a", "").forSeconds(60))).isEqualTo(new Now());
        assertThat(evict(List.of(B, A), Toleration.exists("a", ""))).isEqualTo(new Now());
    }

    @Test
    void the_shortest_of_the_times_counts_and_one_without_a_time_does_not() {
        Toleration a60 = Toleration.exists("a", "NoExecute").forSeconds(60);
        Toleration b30 = Toleration.exists("b", "NoExecute").forSeconds(30);

        assertThat(evict(List.of(A, B), a60, b30)).isEqualTo(after(30));
        assertThat(evict(List.of(A, B), b30, a60)).isEqualTo(after(30));
        assertThat(evict(List.of(A, B), a60, Toleration.exists("b", ""))).isEqualTo(after(60));
        assertThat(evict(List.of(A), Toleration.exists("a", ""), a60)).isEqualTo(new Never());
        assertThat(evict(List.of(A), b30, a60)).isEqualTo(after(60));
    }

    @ParameterizedTest
    @CsvSource({
            // 292 years are the last that fit into 64 bits of nanoseconds
            "9223372036, PT9223372036S",
            "9223372037, ''",
            "9223372036854775807, ''",
            "9223372036854775806, ''",
            "36028797018963968, PT0S",
            "20000000000, PT1553255926.290448384S",
            "1, PT1S",
            "0, PT0S",
            "-1, PT0S",
            "-9223372036854775808, PT0S"
    })
    void times_end_where_the_controllers_do(long seconds, String time) {
        Eviction eviction = evict(List.of(A), Toleration.exists("a", "NoExecute").forSeconds(seconds));

        Duration expected = time.isEmpty() ? Duration.ZERO : Duration.parse(time);
        assertThat(eviction).isEqualTo(
                time.isEmpty() ? new Never() : expected.isZero() ? new Now() : new After(expected));
    }

    private static Eviction after(long seconds) {
        return new After(Duration.ofSeconds(seconds));
    }

    private static Eviction evict(List<Taint> taints, Toleration... tolerations) {
        return Eviction.of(taints, List.of(tolerations), Tolerance.DEFAULT);
    }
}
