package io.nodeward.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Screen screen = new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), 24);

    private static Metadata metadata(String name, Map<String, String> annotations) {
        return new Metadata(new ObjectKey("", name), "u", "1", Map.of(), annotations, List.of(), false);
    }

    private static Pair pair(String name, List<MachineTaint> declared, Optional<List<Taint>> onNode, String tracking) {
        return new Pair(
                new Machine(metadata(name, Map.of()), "demo", "p", name, declared, List.of()),
                onNode.map(taints -> new Node(metadata(name, Map.of(ClusterApi.TAINTS_FROM_MACHINE, tracking)), "p",
                        taints)));
    }

    private static MachineTaint always(String key, String value) {
        return new MachineTaint(key, value, "NoSchedule", "Always");
    }

    private GlassTerminal terminal() {
        return GlassTerminal.after(bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void the_same_taint_is_on_one_line_and_marks_say_whose_it_is() {
        Pair pair = pair(
                "web-1",
                List.of(always("a", "1"), always("b", "")),
                Optional.of(List.of(Taint.of("c", "", "NoExecute"), Taint.of("a", "2", "NoSchedule"))),
                "a:NoSchedule");
        assertThat(Table.rows(List.of(pair))).extracting(row -> row.text().stripTrailing()).containsExactly(
                " web-1    a=1:NoSchedule                Always  * a=2:NoSchedule",
                "          b:NoSchedule                  Always",
                "                                                o c:NoExecute");
    }

    @Test
    void a_machine_without_a_node_says_so() {
        assertThat(Table.rows(List.of(pair("m", List.of(), Optional.empty(), "")))).extracting(Row::mark)
                .containsExactly("(no Node)");
    }

    @Test
    void what_is_too_long_is_cut_and_never_wraps() {
        String x = "x".repeat(60);
        screen.before(
                List.of(pair(x, List.of(always("example.com/" + x, x)),
                        Optional.of(List.of(Taint.of("k" + x, x, "NoExecute"))), "")),
                List.of("text"));
        assertThat(terminal().text()).contains(" xxxxxx.. ../xxxx").contains("o kxxx");
    }

    @Test
    void a_short_name_after_a_long_domain_is_shown_whole() {
        assertThat(Table.cut("node.cluster.x-k8s.io/uninitialized:NoSchedule", 29))
                .isEqualTo("../uninitialized:NoSchedule");
    }

    @Test
    void more_rows_than_fit_are_counted() {
        List<Pair> many = IntStream.range(0, 30)
                .mapToObj(i -> pair("m-" + i, List.of(), Optional.of(List.of()), ""))
                .toList();
        screen.before(many, List.of("the text", "  is still there"));
        assertThat(terminal().text()).contains("and 21 more; a taller terminal shows them\n * managed")
                .contains("the text\n  is still");
    }

    @Test
    void changed_rows_are_pointed_at() {
        Pair before = pair("web-1", List.of(), Optional.of(List.of(Taint.of("a", "1", "NoSchedule"))), "");
        Pair after = pair("web-1", List.of(), Optional.of(List.of(Taint.of("a", "2", "NoSchedule"))), "");
        screen.before(List.of(before), List.of("text"));
        assertThat(terminal().text()).doesNotContain(">web-1");
        screen.during(List.of(after));
        assertThat(terminal().text()).contains(">web-1");
        screen.live(List.of(after), List.of("help"), List.of("news"), true);
        assertThat(terminal().text()).doesNotContain(">web-1").contains("help\nnews");
    }

    @Test
    void what_is_being_typed_is_not_drawn_over() {
        screen.before(List.of(), List.of("text"));
        int row = terminal().cursorRow();
        screen.during(List.of(pair("web-1", List.of(), Optional.empty(), "")));
        assertThat(terminal().cursorRow()).isEqualTo(row).isEqualTo(23);
        assertThat(terminal().text()).contains("q and Enter: quit >");
    }

    @Test
    void nothing_is_drawn_after_the_terminal_is_given_back() {
        screen.before(List.of(), List.of("text"));
        screen.close();
        int size = bytes.size();
        screen.during(List.of());
        screen.typed();
        screen.close();
        assertThat(bytes.size()).isEqualTo(size);
        assertThat(terminal().isGivenBack()).isTrue();
    }
}
