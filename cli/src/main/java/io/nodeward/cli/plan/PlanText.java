package io.nodeward.cli.plan;

import io.nodeward.cli.explain.Words;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.PodFate.Outcome;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A plan for people: a terminal, or the comment of a pull request. */
public final class PlanText {
    private static final Set<Outcome> TIMED = Set.of(Outcome.SHORTENED, Outcome.LENGTHENED);

    private final StringBuilder text = new StringBuilder();
    private final Look look;

    /** How parts of it are written. */
    private interface Look {
        String heading(String text);

        String table(List<String> head, List<List<String>> rows);

        String paragraph(String text);
    }

    private PlanText(Look look) {
        this.look = look;
    }

    public static String terminal(Plan plan, Screen screen) {
        return new PlanText(new OnScreen(screen)).of(plan);
    }

    public static String markdown(Plan plan) {
        String text = new PlanText(new InMarkdown()).of(plan);
        if (plan.warnings().isEmpty()) {
            return text;
        }
        // A comment in a pull request is all that its readers see.
        return text + "\n### Left out\n\n" + plan.warnings().stream()
                .map(warning -> "- " + InMarkdown.code(warning) + "\n").collect(Collectors.joining());
    }

    private String of(Plan plan) {
        impact("", plan, plan.impact());
        List<List<String>> pending = PlanRows.pending(plan);
        if (!pending.isEmpty()) {
            part("Nodes become schedulable (+) or filtered out (-) for "
                    + Words.counted(plan.impact().pending().size(), "pending pod") + ", as far as taints decide it",
                    PlanRows.PENDING, pending);
        }
        plan.replaced().forEach(owner -> part(owner
                + " replaces or removes Machines, with all that runs on them: that is not planned", List.of(),
                List.of()));
        if (!plan.pending().isEmpty()) {
            impact("Already pending, without this edit: ", plan, plan.pending());
        }
        return text.toString();
    }

    private void impact(String which, Plan plan, Impact impact) {
        int changed = impact.nodes().size();
        part(which + changed + " of " + Words.counted(plan.nodes(), "Node") + " "
                + (changed == 1 ? "changes" : "change"),
                PlanRows.NODES, PlanRows.nodes(impact));
        List<List<String>> pods = PlanRows.pods(impact);
        if (!pods.isEmpty()) {
            String budgets = plan.evictsAsBudgetsPermit()
                    ? ", where spec.eviction is Respect as budgets permit"
                    : ", budgets or not";
            part(which + evicted(Plan.evicted(impact), budgets) + spared(Plan.spared(impact)), PlanRows.PODS, pods);
            timed(impact);
        }
    }

    private static String evicted(long pods, String budgets) {
        return pods == 0
                ? "No further pod is evicted"
                : Words.counted(pods, "pod") + (pods == 1 ? " is" : " are") + " evicted" + budgets;
    }

    private static String spared(long pods) {
        return pods == 0 ? "" : "; " + pods + (pods == 1 ? " is" : " are") + " no longer";
    }

    private void timed(Impact impact) {
        if (impact.nodes().stream().flatMap(node -> node.pods().stream())
                .anyMatch(fate -> TIMED.contains(fate.outcome()))) {
            text.append(look.paragraph("As timed: the taint eviction controller does not move a timer that runs. The"
                    + " new time counts if that controller starts anew meanwhile."));
        }
    }

    private void part(String title, List<String> head, List<List<String>> rows) {
        text.append(text.isEmpty() ? "" : "\n").append(look.heading(title));
        if (!rows.isEmpty()) {
            text.append(look.table(head, rows));
        }
    }

    private record OnScreen(Screen screen) implements Look {
        @Override
        public String heading(String text) {
            return screen.paragraph(text, Style.STRONG);
        }

        @Override
        public String table(List<String> head, List<List<String>> rows) {
            Table table = new Table(0).head(head.toArray(String[]::new));
            rows.forEach(row -> table.row(row.stream().map(Cell::of).toArray(Cell[]::new)));
            return table.text(screen);
        }

        @Override
        public String paragraph(String text) {
            return screen.paragraph(text, Style.FAINT);
        }
    }

    private record InMarkdown() implements Look {
        @Override
        public String heading(String text) {
            return "### " + printable(text) + '\n';
        }

        @Override
        public String table(List<String> head, List<List<String>> rows) {
            StringBuilder lines = new StringBuilder("\n").append(line(head)).append("|---".repeat(head.size()))
                    .append("|\n");
            rows.forEach(row -> lines.append(line(row.stream().map(InMarkdown::code).toList())));
            return lines.toString();
        }

        @Override
        public String paragraph(String text) {
            return '\n' + text + '\n';
        }

        private static String line(List<String> cells) {
            return "| " + String.join(" | ", cells) + " |\n";
        }

        /** Names come from files that anybody may have written: nothing in them is to be rendered. */
        private static String code(String cell) {
            return cell.isEmpty() ? "" : '`' + printable(cell).replace('`', '\'').replace("|", "\\|") + '`';
        }

        private static String printable(String text) {
            return Cell.of(text).text();
        }
    }
}
