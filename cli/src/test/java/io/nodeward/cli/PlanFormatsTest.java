package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFormatsTest {
    private static final String NODE = "gpu-worker-0123456789.eu-central-1.compute.internal.example.com";
    private static final String TAINT = "accelerators.example.com/nvidia-h100=reserved-for-training:NoExecute";
    private static final String FLEET = """
            {apiVersion: v1, kind: Node, metadata: {name: %s}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n2}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: training-jobs, name: fine-tuning-0123456789-abcdef}
            spec: {nodeName: %s}
            """.formatted(NODE, NODE);
    private static final String EDIT = """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            spec:
              replicas: 3
              taints: [{key: accelerators.example.com/nvidia-h100, value: reserved-for-training, effect: NoExecute}]
            """.formatted(NODE);

    @TempDir
    Path directory;

    private Result plan(String format) throws IOException {
        return new Planning(directory).plan(FLEET, EDIT, "-o", format);
    }

    @Test
    void a_text_is_not_wider_than_its_terminal() throws IOException {
        assertThat(plan("text").out().lines()).allMatch(line -> line.length() <= 80);
        Terminal narrow = Terminal.of("out", "40", Map.of("NO_COLOR", "1"));
        Result result = new Planning(directory).plan(narrow, FLEET, EDIT);
        // Five columns of pods are no narrower than ten characters each.
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 58);
        assertThat(result.out()).contains("fine-", "abcdef");
    }

    @Test
    void lines_of_a_wide_text_are_not_broken() throws IOException {
        Result result = plan("wide");
        assertThat(result.out()).contains(NODE + "  +  " + TAINT + "\n",
                NODE + "  training-jobs/fine-tuning-0123456789-abcdef  at once  " + TAINT + "\n");
        assertThat(result.err()).contains("warning: Node " + NODE);
    }

    @Test
    void programs_read_the_same_in_yaml_as_in_json() throws IOException {
        Result yaml = plan("yaml");
        assertThat(new YAMLMapper().readTree(yaml.out())).isEqualTo(new ObjectMapper().readTree(plan("json").out()));
        assertThat(yaml.out()).contains("warnings:\n- \"Node ");
        assertThat(yaml.err()).isEmpty();
    }

    @Test
    void names_are_those_of_nodes_that_change() throws IOException {
        Result result = plan("name");
        assertThat(result.out()).isEqualTo("node/" + NODE + "\n");
        assertThat(result.err()).startsWith("warning: ");
    }
}
