package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ObjectWriterTest {
    private final List<String> written = new ArrayList<>();

    @Test
    void each_change_goes_to_the_writer_of_its_kind_with_the_manager_and_whether_it_is_made_again() {
        ObjectWriter writer = ObjectWriter.of(writer("node"), writer("home node"), writer("annotations"),
                writer("taints"), writer("object"));
        Stream.of(ObjectChanges.ofTaints(), ObjectChanges.ofNode(), ObjectChanges.ofAnnotations(),
                ObjectChanges.ofObject(), ObjectChanges.ofHomeNode())
                .forEach(change -> assertThat(writer.apply(change, "manager", true)).isEqualTo(new Applied.Written()));
        assertThat(written).containsExactly("taints by manager true", "node by manager true",
                "annotations by manager true", "object by manager true", "home node by manager true");
    }

    private <C extends ObjectChange> ObjectWriter.Of<C> writer(String kind) {
        return (change, fieldManager, again) -> {
            written.add(kind + " by " + fieldManager + " " + again);
            return new Applied.Written();
        };
    }
}
