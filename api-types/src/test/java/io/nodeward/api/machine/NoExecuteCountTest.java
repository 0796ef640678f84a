package io.nodeward.api.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NoExecuteCountTest {
    @Test
    void what_is_no_number_confirms_nothing() {
        for (String text : List.of("", "-1", "1e3", "10 ", "9999999999", "all")) {
            assertThat(NoExecuteCount.confirmed(Map.of(TaintAnnotations.CONFIRMED, text))).as(text).isZero();
        }
        assertThat(NoExecuteCount.confirmed(Map.of())).isZero();
        assertThat(NoExecuteCount.confirmed(Map.of(TaintAnnotations.CONFIRMED, "1000"))).isEqualTo(1000);
    }

    @Test
    void ten_nodes_or_the_percentage_need_no_confirmation_whichever_is_more() {
        assertThat(new NoExecuteCount(10, 0, 10, 0).isUnconfirmed(10)).isFalse();
        assertThat(new NoExecuteCount(11, 0, 11, 0).isUnconfirmed(10)).isTrue();
        assertThat(new NoExecuteCount(6, 5, 11, 0).isUnconfirmed(10)).isTrue();
        assertThat(new NoExecuteCount(20, 0, 200, 0).isUnconfirmed(10)).isFalse();
        assertThat(new NoExecuteCount(21, 0, 200, 0).isUnconfirmed(10)).isTrue();
        assertThat(new NoExecuteCount(21, 0, 200, 20).isUnconfirmed(10)).isTrue();
        assertThat(new NoExecuteCount(21, 0, 200, 21).isUnconfirmed(10)).isFalse();
        assertThat(new NoExecuteCount(200, 0, 200, 0).isUnconfirmed(0)).as("no limit").isFalse();
    }
}
