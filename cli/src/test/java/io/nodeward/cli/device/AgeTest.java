package io.nodeward.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
    /** Of apimachinery's HumanDuration. */
    @ParameterizedTest
    @CsvSource({"PT-5S, 0s", "PT1M59.9S, 119s", "PT2M, 2m", "PT2M1S, 2m1s", "PT9M59S, 9m59s", "PT10M59S, 10m",
            "PT2H59M, 179m", "PT3H, 3h", "PT7H59M, 7h59m", "PT8H59M, 8h", "PT47H, 47h", "P2D, 2d", "P7DT5H, 7d5h",
            "P8DT5H, 8d", "P729D, 729d", "P731D, 2y1d", "P2919D, 7y364d", "P2920D, 8y", "P3000D, 8y"})
    void an_age_is_what_kubectl_shows(Duration age, String shown) {
        Instant now = Instant.parse("2026-11-26T12:00:00Z");
        assertThat(Age.between(now.minus(age), now)).isEqualTo(shown);
    }
}
