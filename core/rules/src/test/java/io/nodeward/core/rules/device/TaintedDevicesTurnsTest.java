package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rules of 10,000 devices that are asked in slices. What an evaluation costs is counted: an expression with {@code slow} costs
 * a fifth of a slice, any other one so little that there are 20,000 in a slice.
 */
class TaintedDevicesTurnsTest {
    private static final int DEVICES = 10_000;
    private static final int SLICE = 20_000;
    private static final int SLOW = SLICE / 5;

    private final TaintedDevices<String> tainted = new TaintedDevices<>(this::evaluate, facts -> List.of());
    private int cost;
    private int evaluations;

    @BeforeEach
    void devices() {
        publish(DEVICES, "1");
    }

    private void publish(int count, String facts) {
        publish("x", count, Optional.of(facts));
    }

    private void publish(String name, int count, Optional<String> facts) {
        IntStream.range(0, count).forEach(i -> tainted.device(new DeviceName("d", "p", name + i), facts, false));
    }

    private DeviceMatch evaluate(String expression, String facts) {
        evaluations++;
        cost += expression.contains("slow") ? SLOW : 1;
        return expression.contains("fails")
                ? new DeviceMatch.Unknown("it fails")
                : DeviceMatch.of(expression.endsWith("=" + facts));
    }

    private Set<String> slice() {
        cost = 0;
        return new TreeSet<>(tainted.evaluate(() -> cost >= SLICE));
    }

    private void rule(String name, String expression) {
        tainted.rule(name, selector(expression));
    }

    /** Metrics are read often, so a count asks no device. */
    @Test
    void a_device_counts_once_however_many_rules_select_it_and_whoever_else_names_it() {
        rule("no", "k=2");
        tainted.rule("yes", selector("pool:p", "device:x0"));
        tainted.rule("two", selector("pool:p", "device:x1"));
        rule("all", "k=1");
        slice();
        slice();
        assertThat(tainted.isOpen()).isFalse();
        evaluations = 0;
        List<DeviceName> named = List.of(new DeviceName("d", "p", "x0"), new DeviceName("d", "p", "x2"),
                new DeviceName("d", "p", "none"));
        assertThat(tainted.count(rule -> !rule.equals("all"), Stream.of())).isEqualTo(2);
        assertThat(tainted.count(rule -> !rule.equals("all"), named.stream())).isEqualTo(3);
        assertThat(tainted.count("no"::equals, named.stream())).isEqualTo(2);
        assertThat(tainted.count("all"::equals, named.stream())).isEqualTo(DEVICES);
        assertThat(evaluations).isZero();
    }

    @Test
    void a_rule_is_answered_while_a_slow_one_is_under_way() {
        rule("slow", "slow=1");
        assertThat(slice()).isEmpty();
        assertThat(slice()).isEmpty();
        assertThat(evaluations).isEqualTo(10);

        rule("quick", "k=1");
        assertThat(slice()).as("of the slow one").isEmpty();
        assertThat(slice()).containsExactly("quick");
        assertThat(tainted.isOpen("quick")).isFalse();
        assertThat(tainted.count("quick")).isEqualTo(DEVICES);
        assertThat(tainted.isOpen("slow")).isTrue();
        assertThat(evaluations).as("two slices of the slow one more, and the rest of one").isBetween(
                DEVICES + 15, DEVICES + 20);
    }

    /** Each has one slice before. */
    @Test
    void a_rule_and_a_change_of_a_device_wait_for_no_more_than_a_slice_of_each_slow_rule() {
        rule("known", "k=1");
        slice();
        for (int i = 0; i < 10; i++) {
            rule("slow" + i, "slow" + i + "=1");
        }
        slice();
        rule("quick", "j=1");
        publish(1, "2");
        Set<String> answered = new TreeSet<>();
        for (int i = 0; i < 11; i++) {
            answered.addAll(slice());
        }
        assertThat(answered).containsExactly("known", "quick");
        assertThat(tainted.count("known")).isEqualTo(DEVICES - 1);
    }

    /** It is asked of that device when it has asked all others. */
    @Test
    void a_slow_rule_comes_to_an_end_although_a_device_changes_all_the_time() {
        rule("slow", "slow=1");
        int slices = 0;
        for (boolean done = false; !done; slices++) {
            publish(1, "" + slices);
            done = slice().contains("slow");
        }
        assertThat(evaluations).isEqualTo(DEVICES);
        assertThat(slices).isEqualTo(DEVICES / 5);
    }

    @Test
    void what_a_rule_asked_before_it_changed_is_asked_no_more() {
        rule("r", "slow=1");
        slice();
        evaluations = 0;
        rule("r", "k=1");
        assertThat(slice()).containsExactly("r");
        assertThat(evaluations).isEqualTo(DEVICES);
        rule("r", "slow=1");
        slice();
        tainted.rule("r", Optional.empty());
        evaluations = 0;
        assertThat(slice()).containsExactly("r");
        assertThat(evaluations).isZero();
        assertThat(tainted.isOpen()).isFalse();
    }

    @Test
    void a_rule_that_is_complete_again_is_returned_although_its_answers_are_the_same() {
        tainted.deviceClass("c", Optional.of(List.of("k=1")));
        tainted.rule("r", selector("class:c"));
        slice();
        tainted.deviceClass("c", Optional.of(List.of("slow=1")));
        for (int i = 1; i < DEVICES / 5; i++) {
            assertThat(slice()).isEmpty();
            assertThat(tainted.isOpen("r")).isTrue();
        }
        assertThat(slice()).containsExactly("r");
    }

    /** A hundred slices of a tenth of the devices each: shared expressions are evaluated once, as long as something is open. */
    @Test
    void an_expression_that_rules_share_is_evaluated_once_although_there_are_slices() {
        tainted.deviceClass("c", Optional.of(List.of("class=1")));
        for (int i = 0; i < 10; i++) {
            tainted.rule("r" + i, selector("class:c", i + "=1"));
        }
        while (tainted.isOpen()) {
            cost = 0;
            tainted.evaluate(() -> cost >= DEVICES / 10);
        }
        assertThat(evaluations).isEqualTo(11 * DEVICES);
    }

    /** Of sets that double as they grow. */
    @Test
    void a_rule_takes_two_bits_of_a_device_while_the_fleet_is_replaced_and_none_where_it_selects_none() {
        for (int i = 0; i < 10; i++) {
            tainted.rule("all" + i, selector(i + "=1"));
            tainted.rule("fails" + i, selector(i + "fails=1"));
            tainted.rule("none" + i, selector(i + "=0"));
        }
        tainted.evaluate(() -> false);
        long most = 2 * 20 * (DEVICES / Long.SIZE + 1);
        assertThat(tainted.words()).isBetween(most / 2, most);
        for (int i = 0; i < 2; i++) {
            publish(i == 0 ? "x" : "y" + i, DEVICES, Optional.empty());
            assertThat(tainted.count("all1")).isZero();
            publish("y" + (i + 1), DEVICES, Optional.of("1"));
            tainted.evaluate(() -> false);
            assertThat(tainted.count("all1")).isEqualTo(DEVICES);
            assertThat(tainted.words()).isLessThanOrEqualTo(most);
        }
    }
}
