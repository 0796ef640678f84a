package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TolerationCoverTest {
    private static final Toleration A = Toleration.exists("a", "");
    private static final Toleration B = Toleration.exists("b", "");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            // key operator value effect seconds, "-" for none
            "a Exists - - -          | a Equal x NoSchedule - | true",
            "a Exists - - -          | b Equal x NoSchedule - | false",
            "- Exists - - -          | b Equal x NoExecute 5  | true",
            "- Equal x - -           | b Equal x - -          | false",
            "- Equal x - -           | - Equal x - -          | true",
            "a Exists - NoSchedule - | a Exists - - -         | false",
            "a Exists - NoSchedule - | a Exists - NoExecute - | false",
            "a Equal x - -           | a Equal x NoSchedule - | true",
            "a Equal x - -           | a Equal y - -          | false",
            "a Equal x - -           | a - x - -              | false",
            "a - x - -               | a Equal x - -          | true",
            "a - x - -               | a - x - -              | true",
            "a - x - -               | a - x NoSchedule -     | false",
            "a Equal x - -           | a Exists - - -         | false",
            "a Gt 5 - -              | a Gt 5 - -             | true",
            "a Gt 5 - -              | a Gt 5 NoSchedule -    | false",
            "a Exists - - -          | a Gt 5 - -             | true",
            "a Exists - NoExecute 60 | a Exists - NoExecute 60 | true",
            "a Exists - NoExecute 60 | a Equal x NoExecute 60 | true",
            "a Exists - NoExecute 60 | a Equal x NoExecute 61 | false",
            "a Exists - NoExecute 60 | a Equal x NoExecute 59 | true",
            "a Exists - NoExecute 60 | a Equal x NoExecute -  | false",
            "a Exists - NoExecute -  | a Equal x NoExecute 60 | true",
            "a Exists - - 60         | a Equal x NoExecute -  | true"
    })
    void one_toleration_covers_another(String wide, String narrow, boolean covers) {
        assertThat(TolerationCover.covers(toleration(wide), toleration(narrow))).isEqualTo(covers);
    }

    @Test
    void merging_leaves_out_what_is_covered_and_keeps_the_order() {
        Toleration narrow = Toleration.equalTo("a", "x", "");

        assertThat(TolerationCover.merge(List.of(narrow, B), List.of(A))).containsExactly(B, A);
        assertThat(TolerationCover.merge(List.of(A, B), List.of(narrow))).containsExactly(A, B);
        assertThat(TolerationCover.merge(List.of(A, A), List.of(B, A))).containsExactly(A, B);
        assertThat(TolerationCover.merge(List.of(), List.of())).isEmpty();
    }

    @Test
    void an_empty_list_allows_everything_and_any_other_what_it_covers() {
        assertThat(TolerationCover.refused(List.of(A, B), List.of())).isEmpty();
        assertThat(TolerationCover.refused(List.of(A, B), List.of(B))).containsExactly(A);
        assertThat(TolerationCover.refused(List.of(), List.of(B))).isEmpty();
    }

    private static Toleration toleration(String text) {
        String[] parts = text.strip().split(" +");
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].equals("-") ? "" : parts[i];
        }
        return new Toleration(parts[0], parts[1], parts[2], parts[3],
                parts[4].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[4])));
    }
}
