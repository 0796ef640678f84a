package io.nodeward.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A plan for people: a terminal, or the comment of a pull request. */
public final class PlanText {
    private final StringBuilder text = new StringBuilder();
    private final BiFunction<List<String>, List<List<String>>, String> table;
    private final String heading;

    private PlanText(String heading, BiFunction<List<String>, List<List<String>>, String> table) {
        this.heading = heading;
        this.table = table;
    }

    public static String terminal(Plan plan) {
        return new PlanText("", PlanText::columns).of(plan);
    }

    public static String markdown(Plan plan) {
        PlanText markdown = new PlanText("### ", PlanText::markdownTable);
        String text = markdown.of(plan);
        if (plan.warnings().isEmpty()) {
            return text;
        }
        // A comment in a pull request is all that its readers see.
        return text + "\n### Left out\n\n" + plan.warnings().stream()
                .map(warning -> "- " + code(printable(warning)) + "\n").collect(Collectors.joining());
    }

    private String of(Plan plan) {
        int changed = plan.impact().nodes().size();
        part(changed + " of " + counted(plan.nodes(), "Node") + " " + (changed == 1 ? "changes" : "change"),
                PlanRows.NODES, PlanRows.nodes(plan));
        List<List<String>> pods = PlanRows.pods(plan);
        if (!pods.isEmpty()) {
            part(evicted(plan.evicted()), PlanRows.PODS, pods);
        }
        List<List<String>> pending = PlanRows.pending(plan);
        if (!pending.isEmpty()) {
            part("Nodes open (+) or close (-) for " + counted(plan.impact().pending().size(), "pending pod")
                    + ", as far as taints decide it", PlanRows.PENDING, pending);
        }
        plan.replaced().forEach(owner -> part(printable(owner)
                + " replaces or removes Machines, with all that runs on them: that is not planned", List.of(),
                List.of()));
        return text.toString();
    }

    private static String evicted(long pods) {
        return pods == 0
                ? "No pod is evicted"
                : counted(pods, "pod") + (pods == 1 ? " is" : " are") + " evicted, budgets or not";
    }

    private void part(String title, List<String> head, List<List<String>> rows) {
        text.append(text.isEmpty() ? "" : "\n").append(heading).append(title).append('\n');
        if (!rows.isEmpty()) {
            text.append(heading.isEmpty() ? "" : "\n").append(table.apply(head,
                    rows.stream().map(row -> row.stream().map(PlanText::printable).toList()).toList()));
        }
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String columns(List<String> head, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>();
        all.add(head);
        all.addAll(rows);
        int[] widths = new int[head.size()];
        all.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder lines = new StringBuilder();
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            lines.append(line.toString().stripTrailing()).append('\n');
        }
        return lines.toString();
    }

    private static String markdownTable(List<String> head, List<List<String>> rows) {
        StringBuilder lines = new StringBuilder(line(head)).append("|---".repeat(head.size())).append("|\n");
        rows.forEach(row -> lines.append(line(row.stream().map(PlanText::code).toList())));
        return lines.toString();
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /** Names come from files that anybody may have written: nothing in them is to be rendered. */
    private static String code(String cell) {
        return cell.isEmpty() ? "" : '`' + cell.replace('`', '\'').replace("|", "\\|") + '`';
    }

    /** Nor is it to command a terminal. */
    private static String printable(String cell) {
        return cell.codePoints().map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
