package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * 100 rules and 10,000 devices: of each of 100 drivers there are 100 devices. 94 rules name a driver, one names a class
 * besides, and five ask all devices. The tests share them: each changes drivers of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ManyDevicesTest {
    private static final int DRIVERS = 100;
    private static final int DEVICES = 100;
    private static final int NARROW = 94;
    private static final int WIDE = 5;

    private final DevicesFixture cluster = new DevicesFixture();
    private long evaluations;

    @BeforeAll
    void fleet() {
        for (int driver = 0; driver < NARROW; driver++) {
            cluster.rule("r" + driver, of(driver, "device.attributes['d" + driver + "'].size > 50"));
        }
        cluster.deviceClass("c", "device.driver.startsWith('d')", "device.attributes[device.driver].size > 50");
        cluster.rule("class", with("deviceClassName", "c", Map.of("driver", "d94")));
        for (int wide = 0; wide < WIDE; wide++) {
            cluster.rule("wide" + wide, DevicesFixture.cel("device.attributes[device.driver].size == " + wide));
        }
        for (int driver = 0; driver < DRIVERS; driver++) {
            slice(driver, -1);
        }
        for (int driver = 0; driver < DRIVERS; driver++) {
            cluster.claim("c" + driver, "d" + driver + "/p/x99", "pod" + driver);
            cluster.pod("pod" + driver, "n");
        }
        cluster.start();
        cluster.settle();
        spent();
    }

    private static Map<String, Object> of(int driver, String expression) {
        return with("driver", "d" + driver, DevicesFixture.cel(expression));
    }

    private static Map<String, Object> with(String field, Object value, Map<String, Object> selector) {
        Map<String, Object> more = new HashMap<>(selector);
        more.put(field, value);
        return more;
    }

    /** @param other a device whose size is another than its number */
    private void slice(int driver, int other) {
        cluster.sized("s" + driver, "d" + driver, "p", DEVICES, size -> size == other ? 1000 : size);
    }

    /** Evaluations since this was called last. */
    private long spent() {
        long now = cluster.devices.evaluations();
        long spent = now - evaluations;
        evaluations = now;
        return spent;
    }

    @Test
    void the_start_asks_each_device_what_its_rules_ask_once() {
        DevicesFixture again = new DevicesFixture();
        cluster.caches.rules().all().forEach(again.caches.rules()::put);
        cluster.caches.classes().all().forEach(again.caches.classes()::put);
        cluster.caches.slices().all().forEach(again.caches.slices()::put);
        again.start();
        again.settle();
        assertThat(again.devices.evaluations()).isEqualTo(
                (long) NARROW * DEVICES + 2 * DEVICES + (long) WIDE * DRIVERS * DEVICES);
    }

    @Test
    void a_device_that_changes_is_asked_by_its_rules_alone() {
        slice(7, 3);
        assertThat(cluster.settle()).containsExactlyInAnyOrder("r7", "wide3");
        assertThat(spent()).isEqualTo(1 + WIDE);
        assertThat(cluster.count("r7", "devices")).contains(50L);
        assertThat(cluster.count("r8", "devices")).contains(49L);
        assertThat(spent()).as("to show it").isZero();
    }

    @Test
    void a_rule_asks_the_devices_that_its_names_allow() {
        cluster.rule("r17", of(17, "device.attributes['d17'].size > 90"));
        assertThat(cluster.settle()).containsExactly("r17");
        assertThat(spent()).isEqualTo(DEVICES);
        assertThat(cluster.count("r17", "devices")).contains(9L);
        cluster.rule("wide4", DevicesFixture.cel("device.attributes[device.driver].size < 0"));
        assertThat(cluster.settle()).containsExactly("wide4");
        assertThat(spent()).isEqualTo((long) DRIVERS * DEVICES);
    }

    @Test
    void a_class_asks_the_devices_of_its_rules() {
        cluster.deviceClass("c", "device.driver.startsWith('d')", "device.attributes[device.driver].size > 90");
        assertThat(cluster.settle()).containsExactly("class");
        assertThat(spent()).isEqualTo(2 * DEVICES);
        assertThat(cluster.count("class", "devices")).contains(9L);
    }

    @Test
    void claims_and_pods_ask_nobody() {
        cluster.claim("c27", "d27/p/x98", "pod27");
        assertThat(cluster.settle()).containsExactly("r27");
        cluster.pod("pod27", "");
        assertThat(cluster.settle()).containsExactly("r27");
        DevicesFixture.remove(cluster.caches.slices(), "", "s28");
        assertThat(cluster.settle()).contains("r28");
        assertThat(cluster.count("r28", "evicted")).contains(1L);
        assertThat(spent()).isZero();
        slice(28, -1);
        cluster.settle();
        assertThat(spent()).as("all but the one that a claim has, which is what it was")
                .isEqualTo((DEVICES - 1) * (1 + (long) WIDE));
    }
}
