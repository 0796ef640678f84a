package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.rules.topology.ControlPlaneContract.Found;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlPlaneContractTest {
    private static final String NOW = "cluster.x-k8s.io/v1beta2";
    private static final String BEFORE = "cluster.x-k8s.io/v1beta1";

    @Test
    void the_newest_contract_decides_where_the_list_is() {
        assertThat(ControlPlaneContract.find(Map.of(NOW, "v1beta2", BEFORE, "v1beta1"), (version, place) -> true))
                .contains(new Found("v1beta2", TaintPlace.CONTROL_PLANE));
        assertThat(ControlPlaneContract.find(Map.of(BEFORE, "v1beta1"), (version, place) -> true))
                .contains(new Found("v1beta1", TaintPlace.CONTROL_PLANE_V1BETA1));
    }

    @Test
    void a_provider_without_the_field_or_without_a_contract_gets_none() {
        assertThat(ControlPlaneContract.find(Map.of(NOW, "v1beta2"), (version, place) -> false)).isEmpty();
        assertThat(ControlPlaneContract.find(Map.of("other", "v1"), (version, place) -> true)).isEmpty();
        assertThat(ControlPlaneContract.find(Map.of(NOW, ""), (version, place) -> true)).isEmpty();
        // The list in the older place of a newer provider is not what the newer contract promises.
        assertThat(ControlPlaneContract.find(
                Map.of(NOW, "v1", BEFORE, "v1"), (version, place) -> place == TaintPlace.CONTROL_PLANE_V1BETA1))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
            "v1beta1_v1beta2, v1beta2", "v1beta10_v1beta9, v1beta10", "v1_v1beta2_v2alpha1, v1", "v10_v9, v10",
            "v1alpha9_v1beta1, v1beta1", "v2beta1_v1beta9, v2beta1", "odd_v1alpha1, v1alpha1", "b_a, a",
            "__v1__, v1"
    })
    void of_its_versions_the_newest_counts(String versions, String newest) {
        assertThat(ControlPlaneContract.find(Map.of(NOW, versions), (version, place) -> true))
                .map(Found::version)
                .contains(newest);
    }
}
