package io.nodeward.e2e.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void heap_is_the_sum_of_both_generations_and_not_of_their_spaces() {
        assertThat(LiveHeap.used("""
                DefNew     total 78656K, used 1024K [0x00000000f0000000, 0x00000000f5550000, 0x00000000f5550000)
                 eden space 69952K,   1% used [0x00000000f0000000, 0x00000000f00e3cb8, 0x00000000f4450000)
                Tenured    total 174784K, used 30720K [0x00000000f5550000, 0x0000000100000000, 0x0000000100000000)
                 the  space 174784K,  16% used [0x00000000f5550000, 0x00000000f71024c8, 0x0000000100000000)
                """)).isEqualTo(31);
    }

    @Test
    void a_report_without_a_known_heap_is_no_figure() {
        assertThatThrownBy(() -> LiveHeap.used("Attach failed")).hasMessageContaining("Attach failed");
    }
}
