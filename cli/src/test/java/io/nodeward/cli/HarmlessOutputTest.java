package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in objects, names of files, or what a server says: nothing of it commands the terminal it is shown on. */
class HarmlessOutputTest {
    private static final String EVIL = "ev\u001b[2Jil\u009b";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"explain node/n1", "explain node/n1 -o name", "explain node/n1 -o wide",
            "explain pod/web -n shop", "explain pod/web -n shop -o name", "tree cluster/prod -n fleet --all",
            "tree cluster/prod -n fleet -o name", "plan", "plan -o markdown", "validate", "explain node/n1 -o json",
            "explain node/n1 -o yaml", "tree cluster/prod -n fleet -o yaml", "plan -o json", "validate -o json"})
    void files_may_hold_anything(String command) throws IOException {
        String fleet = Typed.fleet().replace("name: prod-gpu-x", "name: \"ev\\e[2Jil\\x9b\"")
                .replace("kubectl-taint", "\"ev\\e[2Jil\\x9b\"").replace("key: mine", "key: \"mi\\e[2Jne\"")
                .replace("name: waits", "name: \"wa\\e[2Jits\"").replace("name: n3", "name: \"n\\e[2J3\"");

        Result result = Typed.run(fleet, (command + " -f -").split(" "));

        assertThat(result.out() + result.err()).doesNotContain("\u001b", "\u009b");
    }

    @ParameterizedTest
    @CsvSource({"explain node/n1, machineset/, prod-gpu-x", "explain pod/web -n shop, node/, n3", "plan, node/, n1",
            "tree cluster/prod -n fleet, machineset.cluster.x-k8s.io/, prod-gpu-x",
            "tree cluster/prod -n fleet, node/, n1"})
    void a_name_is_one_line_whatever_is_in_it(String command, String kind, String name) throws IOException {
        String fleet = Typed.fleet().replace("name: " + name, "name: \"" + name + "\\nnode/other\"");

        Result result = Typed.run(fleet, (command + " -o name -f -").split(" "));

        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out().lines()).contains(kind + name + "\\u000anode/other").doesNotContain("node/other");
    }

    @Test
    void yaml_and_json_say_what_there_is() throws IOException {
        String fleet = Typed.fleet().replace("kubectl-taint", "\"ev\\e[2Jil\\x9b\"");

        JsonNode yaml =
                new YAMLMapper().readTree(Typed.run(fleet, "explain", "node/n1", "-o", "yaml", "-f", "-").out());
        JsonNode json = Cluster.JSON.readTree(Typed.run(fleet, "explain", "node/n1", "-o", "json", "-f", "-").out());
        assertThat(yaml).isEqualTo(json);
        assertThat(json.findValuesAsText("from")).anyMatch(from -> from.contains(EVIL));
    }

    @Test
    void names_of_files_and_words_of_the_user_are_told_harmlessly() {
        assertThat(Typed.run("", "plan", "-f", "no\u001b[2J").err())
                .isEqualTo("error: no\\u001b[2J: there is no such file\n");
        assertThat(Typed.run("", "plan", "--\u001b[2J").err()).contains("\\u001b[2J").doesNotContain("\u001b");
    }

    @Test
    void what_a_server_says_is_told_harmlessly() throws IOException {
        try (Cluster cluster = new Cluster(folder)) {
            cluster.node("n1", "{}", "[{\"key\":\"old\",\"effect\":\"NoSchedule\"}]");
            cluster.server.fault(request -> request.method().equals("PATCH"),
                    Fault.status(422, "Invalid", EVIL + "\nnode/n1 tainted"));
            assertThat(cluster.run("taint", "nodes", "n1", "a:NoSchedule").err()).isEqualTo(
                    "Error from server (Invalid): ev\\u001b[2Jil\\u009b\n  node/n1 tainted\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "yaml"})
    void an_object_is_printed_harmlessly_as_it_is(String format) throws IOException {
        try (Cluster cluster = new Cluster(folder)) {
            cluster.node("n1", "{}", "[]");
            cluster.server.mergePatch("nodes", "", "n1", Cluster.JSON.readTree(
                    "{\"metadata\":{\"annotations\":{\"note\":\"ev\\u001b[2Jil\\u009b\\nsecond line\"}}}"));
            Result result = cluster.run("taint", "nodes", "n1", "a:NoSchedule", "-o", format);
            assertThat(result.out()).doesNotContain("\u001b", "\u009b");
            assertThat(new YAMLMapper().readTree(result.out()).at("/metadata/annotations/note").asText())
                    .isEqualTo(EVIL + "\nsecond line");
        }
    }

    @Test
    void a_fault_of_ours_is_told_without_a_word_of_java() {
        assertThat(FailureWords.of(new NullPointerException("Cannot invoke \"io.nodeward.Node.name()\"")))
                .singleElement().asString().matches("error: internal error at HarmlessOutputTest\\.java:[0-9]+;"
                        + " please report it with what was typed: it is not of your making");
        assertThat(FailureWords.of(new java.nio.file.NoSuchFileException("a"))).containsExactly(
                "error: a: there is no such file");
    }
}
