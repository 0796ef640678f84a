package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.toleration.TolerationRestriction.Request;
import io.nodeward.core.rules.toleration.TolerationRestriction.Verdict;
import io.nodeward.core.rules.toleration.TolerationRestriction.Verdict.Admitted;
import io.nodeward.core.rules.toleration.TolerationRestriction.Verdict.Refused;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TolerationCoverTest {
    private static final Toleration A = Toleration.exists("a", "");
    private static final Toleration B = Toleration.exists("b", "");
    private static final Toleration PRESSURE = Toleration.exists("node.kubernetes.io/memory-pressure", "NoSchedule");

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

    @Test
    void defaults_of_the_namespace_take_the_place_of_the_clusters() {
        assertThat(admit(restriction(Optional.of(List.of(B)), Optional.empty(), List.of(A), List.of())))
                .isEqualTo(new Admitted(List.of(B)));
        assertThat(admit(restriction(Optional.of(List.of()), Optional.empty(), List.of(A), List.of())))
                .isEqualTo(new Admitted(List.of()));
        assertThat(admit(restriction(Optional.empty(), Optional.empty(), List.of(A), List.of())))
                .isEqualTo(new Admitted(List.of(A)));
    }

    @Test
    void an_update_gets_no_defaults() {
        TolerationRestriction restriction =
                restriction(Optional.of(List.of(B)), Optional.empty(), List.of(), List.of());

        assertThat(restriction.admit(Request.UPDATE, List.of(A), true)).isEqualTo(new Admitted(List.of(A)));
        assertThat(restriction.admit(Request.CREATE, List.of(A), true)).isEqualTo(new Admitted(List.of(A, B)));
    }

    @Test
    void a_pod_that_asks_for_resources_tolerates_pressure_on_memory_after_either_request() {
        TolerationRestriction restriction =
                restriction(Optional.empty(), Optional.empty(), List.of(), List.of());

        assertThat(restriction.admit(Request.CREATE, List.of(A), false))
                .isEqualTo(new Admitted(List.of(A, PRESSURE)));
        assertThat(restriction.admit(Request.UPDATE, List.of(A), false))
                .isEqualTo(new Admitted(List.of(A, PRESSURE)));
    }

    @Test
    void a_list_that_nothing_is_added_to_stays_as_it_is() {
        TolerationRestriction restriction =
                restriction(Optional.empty(), Optional.empty(), List.of(), List.of());

        assertThat(restriction.admit(Request.CREATE, List.of(A, A), true)).isEqualTo(new Admitted(List.of(A, A)));
    }

    @Test
    void what_the_list_does_not_cover_is_refused_with_the_lists_owner_and_the_culprits() {
        TolerationRestriction own = restriction(Optional.of(List.of(B)), Optional.of(List.of(A)), List.of(), List.of());
        TolerationRestriction clusters = restriction(Optional.empty(), Optional.empty(), List.of(B), List.of(A));
        TolerationRestriction opened =
                restriction(Optional.of(List.of(B)), Optional.of(List.of()), List.of(), List.of(A));

        assertThat(admit(own)).isEqualTo(new Refused("pod tolerations (possibly merged with namespace default"
                + " tolerations) conflict with its namespace whitelist", List.of(B)));
        assertThat(admit(clusters)).isEqualTo(new Refused("pod tolerations (possibly merged with namespace default"
                + " tolerations) conflict with its cluster whitelist", List.of(B)));
        assertThat(admit(opened)).isEqualTo(new Admitted(List.of(B)));
    }

    @Test
    void system_tolerations_are_refused_as_others_are() {
        TolerationRestriction restriction =
                restriction(Optional.empty(), Optional.of(List.of(A)), List.of(), List.of());

        assertThat(restriction.admit(Request.UPDATE, List.of(A), false)).isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.notAllowed()).containsExactly(PRESSURE));
    }

    private static Verdict admit(TolerationRestriction restriction) {
        return restriction.admit(Request.CREATE, List.of(), true);
    }

    private static TolerationRestriction restriction(
            Optional<List<Toleration>> defaults,
            Optional<List<Toleration>> allowed,
            List<Toleration> clusterDefaults,
            List<Toleration> clusterAllowed) {
        return new TolerationRestriction(defaults, allowed, clusterDefaults, clusterAllowed);
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
