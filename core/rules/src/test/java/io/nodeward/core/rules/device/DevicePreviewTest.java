package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.core.rules.preview.Sample;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DevicePreviewTest {
    private static final Sample NONE = Sample.of(List.of());

    @Test
    void the_status_counts_devices_and_pods_and_names_the_first() {
        Tree status = preview(NONE).tree();

        assertThat(status.at("devices").integer()).hasValue(12);
        assertThat(status.at("pods").integer()).hasValue(2);
        assertThat(status.at(List.of("preview", "devices", "names")).elements()).hasSize(10);
        assertThat(status.at(List.of("preview", "evicted"))).isEqualTo(Tree.of(
                Map.of("count", 2, "names", List.of("a/x", "b/y"))));
        assertThat(status.at(List.of("preview", "namespaces")).integer()).hasValue(2);
    }

    @Test
    void pods_are_not_counted_while_a_device_is_unknown() {
        Tree status = preview(Sample.of(List.of("d/p/gone"))).tree();

        assertThat(status.at("pods")).isEqualTo(Tree.ABSENT);
        assertThat(status.at("devices").integer()).hasValue(12);
        assertThat(status.at(List.of("preview", "unknown", "names"))).isEqualTo(Tree.of(List.of("d/p/gone")));
    }

    private static DevicePreview preview(Sample unknown) {
        List<String> devices = IntStream.range(0, 12).mapToObj(i -> "d/p/" + i).toList();
        return new DevicePreview(Sample.of(devices), Sample.of(devices.subList(0, 3)),
                Sample.of(List.of("b/y", "a/x")), 2, Sample.of(List.of("a/z")), NONE, unknown);
    }
}
