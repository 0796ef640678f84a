package io.nodeward.cli.taint;

import io.nodeward.api.node.Taint;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.impact.TaintDifference;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Prints, below each object's line, what a server-side dry run would change in it; and how many in the end. */
final class DryRunDiff {
    private final PrintWriter out;
    private final Screen screen;
    private int all;
    private int changed;

    private DryRunDiff(PrintWriter out, Screen screen) {
        this.out = out;
        this.screen = screen;
    }

    /** Empty if the command writes, sends nothing, or prints names or whole objects. */
    static Optional<DryRunDiff> of(TaintCommand command, Session session) {
        return command.dryRun() == DryRun.SERVER && command.output().format().isEmpty()
                ? Optional.of(new DryRunDiff(session.out(), Screen.of(session.terminal())))
                : Optional.empty();
    }

    /** @param place in the object; empty if it has one list of taints */
    void print(String place, List<Taint> before, List<Taint> after) {
        TaintDifference difference = TaintDifference.of(texts(before), texts(after));
        all++;
        if (difference.isEmpty()) {
            return;
        }
        changed++;
        if (!place.isEmpty()) {
            out.println(Harmless.line("  at " + place));
        }
        String indent = place.isEmpty() ? "  " : "    ";
        difference.removed().forEach(taint -> out.println(screen.styled(indent + "- " + taint.value(), Style.BAD)));
        difference.changed().forEach(pair -> out.println(
                screen.styled(indent + "~ " + pair.before().value() + " -> " + pair.after().value(), Style.DOUBTFUL)));
        difference.added().forEach(taint -> out.println(screen.styled(indent + "+ " + taint.value(), Style.GOOD)));
        out.flush();
    }

    /** @param one what one of them is called */
    void end(String one) {
        out.println(changed + " of " + all + " " + one + (all == 1 ? " changes" : "s change") + ", nothing is written");
        out.flush();
    }

    /** With all that they say for their value, so that every difference counts. */
    private static List<Taint> texts(List<Taint> taints) {
        return taints.stream()
                .map(taint -> new Taint(taint.key(), Harmless.line(DeclaredList.text(taint)), taint.effect(),
                        taint.json()))
                .toList();
    }
}
