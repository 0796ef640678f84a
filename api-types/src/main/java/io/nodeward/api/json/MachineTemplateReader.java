package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.List;

/** {@code spec.template} of what makes Machines: the same in all kinds and versions. */
final class MachineTemplateReader {
    private Metadata metadata = MetadataReader.absent();
    private InfrastructureRef infrastructure = new InfrastructureRef("", "", "");
    private List<MachineTaint> taints = List.of();

    Template template() {
        return new Template(metadata.labels(), metadata.annotations(), taints);
    }

    InfrastructureRef infrastructure() {
        return infrastructure;
    }

    void field(String field, JsonParser p) throws IOException {
        switch (field) {
            case "metadata" -> metadata = MetadataReader.read(p);
            case "spec" -> Json.fields(p, this::machineField);
            default -> p.skipChildren();
        }
    }

    private void machineField(String field, JsonParser p) throws IOException {
        switch (field) {
            case "infrastructureRef" -> infrastructure = ReferenceReader.read(p, InfrastructureRef::new);
            case "taints" -> taints = MachineTaintReader.list(p);
            default -> p.skipChildren();
        }
    }
}
