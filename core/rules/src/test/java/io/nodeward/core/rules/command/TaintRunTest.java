package io.nodeward.core.rules.command;

import static io.nodeward.core.rules.command.Commands.command;
import static io.nodeward.core.rules.command.Commands.node;
import static io.nodeward.core.rules.command.Commands.taint;
import static io.nodeward.core.rules.command.Commands.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.command.TaintRun.Failure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaintRunTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            // before | command | after | word
            "~~ | a=1:NoSchedule | a=1:NoSchedule | tainted",
            "b:NoExecute | a=1:NoSchedule | a=1:NoSchedule b:NoExecute | tainted",
            "a:NoExecute | a=1:NoSchedule | a=1:NoSchedule a:NoExecute | tainted",
            "a:NoExecute b:NoExecute | a- | b:NoExecute | untainted",
            "a:NoExecute a:NoSchedule | a- | ~~ | untainted",
            "a:NoExecute a:NoSchedule | a=9:NoSchedule- | a:NoExecute | untainted",
            "a:NoExecute | a- --overwrite | ~~ | modified",
            "a:NoExecute | b:NoExecute a- | b:NoExecute | modified",
            "~~ | a:NoExecute --overwrite | a:NoExecute | modified",
            "b:NoExecute a=1:NoExecute | a=2:NoExecute --overwrite | a=2:NoExecute b:NoExecute | modified",
            "a:NoExecute b:NoExecute | b=1:NoExecute a- --overwrite | b=1:NoExecute | modified"
    })
    void taints_come_and_go(String before, String words, String after, String word) {
        TaintRun run = TaintRun.of(command("nodes n1 " + words), List.of(node("n1", taints(before))));

        assertThat(run.failure()).isEmpty();
        assertThat(texts(taintsOf(run, "n1"))).isEqualTo(after);
        assertThat(run.printed()).containsExactly("node/n1 " + word);
        assertThat(run.patched()).containsExactly("n1");
    }

    @Test
    void what_is_not_touched_keeps_its_element() {
        Taint old = new Taint("old", "", "NoExecute",
                "{\"key\":\"old\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\",\"later\":1}");

        TaintRun run = TaintRun.of(command("nodes n1 a:NoSchedule"), List.of(node("n1", old)));

        assertThat(taintsOf(run, "n1")).containsExactly(taint("a:NoSchedule"), old);
    }

    @Test
    void nodes_are_changed_one_after_another_in_the_order_of_the_command() {
        List<Node> nodes = List.of(node("n1"), node("n2"), node("n3"));

        TaintRun run = TaintRun.of(command("nodes n3 n1 a:NoExecute"), nodes);

        assertThat(run.patched()).containsExactly("n3", "n1");
        assertThat(run.printed()).containsExactly("node/n3 tainted", "node/n1 tainted");
        assertThat(taintsOf(run, "n2")).isEmpty();
        assertThat(run.taints().keySet()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void a_node_that_is_named_twice_is_changed_twice() {
        TaintRun run = TaintRun.of(command("nodes n1 n1 a:NoExecute"), List.of(node("n1")));
        TaintRun again = TaintRun.of(command("nodes n1 n1 a:NoExecute --overwrite"), List.of(node("n1")));

        assertThat(run.patched()).containsExactly("n1");
        assertThat(failure(run).message())
                .isEqualTo("error: node n1 already has a taint(s) with same effect(s) and --overwrite is false");
        assertThat(again.patched()).containsExactly("n1", "n1");
        assertThat(again.failure()).isEmpty();
    }

    @Test
    void a_selector_takes_those_that_match_and_may_take_none() {
        List<Node> nodes = List.of(node("n1", Map.of("pool", "a")), node("n2", Map.of("pool", "b")), node("n3"));

        assertThat(TaintRun.of(command("nodes -l pool a:NoExecute"), nodes).patched()).containsExactly("n1", "n2");
        assertThat(TaintRun.of(command("nodes -l pool!=a a:NoExecute"), nodes).patched()).containsExactly("n2", "n3");
        TaintRun none = TaintRun.of(command("nodes -l pool=c a:NoExecute"), nodes);
        assertThat(none.patched()).isEmpty();
        assertThat(none.printed()).isEmpty();
        assertThat(none.failure()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--dry-run=client", "--dry-run=server", "--dry-run"})
    void a_dry_run_changes_nothing_and_prints_the_same(String flag) {
        TaintRun run = TaintRun.of(command("nodes n1 n1 a:NoExecute " + flag), List.of(node("n1")));

        assertThat(taintsOf(run, "n1")).isEmpty();
        assertThat(run.patched()).isEmpty();
        assertThat(run.printed()).containsExactly("node/n1 tainted", "node/n1 tainted");
        assertThat(run.failure()).isEmpty();
    }

    @Test
    void several_faults_of_one_node_are_told_line_by_line_and_nothing_of_it_changes() {
        TaintRun run = TaintRun.of(
                command("nodes n1 c:NoExecute a- b:NoSchedule- d-"),
                List.of(node("n1", taint("d:NoExecute"))));

        assertThat(failure(run)).isEqualTo(new Failure(Reason.NO_SUCH_TAINT,
                "taint \"a\" not found\ntaint \"b:NoSchedule\" not found"));
        assertThat(texts(taintsOf(run, "n1"))).isEqualTo("d:NoExecute");
        assertThat(run.printed()).isEmpty();
    }

    @Test
    void faults_of_several_nodes_are_a_line_each() {
        List<Node> nodes = List.of(node("n1", taint("a:NoExecute")), node("n2"), node("n3"));

        TaintRun run = TaintRun.of(command("nodes n1 n2 gone n3 a- b- c:NoSchedule"), nodes);

        assertThat(failure(run)).isEqualTo(new Failure(Reason.NO_SUCH_TAINT,
                "taint \"b\" not found\n"
                        + "[taint \"a\" not found, taint \"b\" not found]\n"
                        + "Error from server (NotFound): nodes \"gone\" not found\n"
                        + "[taint \"a\" not found, taint \"b\" not found]"));
        assertThat(TaintRun.of(command("nodes n2 n3 a- a-"), nodes).failure()).contains(new Failure(
                Reason.NO_SUCH_TAINT, "taint \"a\" not found\ntaint \"a\" not found"));
    }

    @Test
    void every_taint_that_is_there_is_named_by_its_key() {
        TaintRun run = TaintRun.of(command("nodes n1 a:NoExecute b:NoExecute a:NoSchedule c:NoExecute"),
                List.of(node("n1", taints("b=1:NoExecute a:NoSchedule a:NoExecute"))));

        assertThat(failure(run)).isEqualTo(new Failure(Reason.ALREADY_THERE,
                "error: node n1 already has a,b,a taint(s) with same effect(s) and --overwrite is false"));
    }

    @Test
    void only_names_are_printed_if_asked_for() {
        List<Node> nodes = List.of(node("n1"), node("n2"));

        assertThat(TaintRun.of(command("nodes --all a:NoExecute -o name"), nodes).printed())
                .containsExactly("node/n1", "node/n2");
        assertThat(TaintRun.of(command("nodes --all a:NoExecute -oNAME --template x"), nodes).printed())
                .containsExactly("node/n1", "node/n2");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "-o json", "-o YAML", "-o kyaml", "-o jsonpath={.metadata.name}", "-o go-template={{.kind}}",
            "-o template --template x", "--template x", "-o templatefile=x", "-o jsonpath-as-json={.kind}"
    })
    void whole_objects_are_left_to_who_has_them(String flags) {
        TaintCommand command = command("nodes n1 a:NoExecute " + flags);
        TaintRun run = TaintRun.of(command, List.of(node("n1")));

        assertThat(command.output().printsObjects()).isTrue();
        assertThat(run.printed()).isEmpty();
        assertThat(run.patched()).containsExactly("n1");
    }

    @Test
    void an_unknown_format_is_found_out_before_anything_changes() {
        TaintRun run = TaintRun.of(command("nodes n1 a:NoExecute -o Wide"), List.of(node("n1")));

        assertThat(failure(run)).isEqualTo(new Failure(Reason.UNKNOWN_OUTPUT, "error: unable to match a printer"
                + " suitable for the output format \"Wide\", allowed formats are: go-template,go-template-file,json,"
                + "jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,yaml"));
        assertThat(taintsOf(run, "n1")).isEmpty();
        assertThat(run.patched()).isEmpty();
    }

    private static Taint[] taints(String texts) {
        return texts.isEmpty()
                ? new Taint[0]
                : List.of(texts.split(" ")).stream().map(Commands::taint).toArray(Taint[]::new);
    }

    private static List<Taint> taintsOf(TaintRun run, String node) {
        return run.taints().get(node);
    }

    private static Failure failure(TaintRun run) {
        return run.failure().orElseThrow();
    }
}
