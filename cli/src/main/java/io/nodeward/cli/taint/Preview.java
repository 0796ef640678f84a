package io.nodeward.cli.taint;

import io.nodeward.api.node.Taint;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.rules.impact.TaintDifference;
import java.io.PrintWriter;
import java.util.List;

/** Says what would change, object by object, and how many in the end. */
final class Preview {
    private final PrintWriter out;
    private final Terminal terminal;
    private int all;
    private int changed;

    Preview(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void print(String object, List<Taint> before, List<Taint> after) {
        TaintDifference difference = TaintDifference.of(texts(before), texts(after));
        all++;
        if (difference.isEmpty()) {
            out.println(Harmless.line(object) + " unchanged");
            return;
        }
        changed++;
        out.println(Harmless.line(object));
        difference.removed().forEach(taint -> out.println(terminal.red("  - " + taint.value())));
        difference.changed().forEach(pair -> out.println(
                terminal.yellow("  ~ " + pair.before().value() + " -> " + pair.after().value())));
        difference.added().forEach(taint -> out.println(terminal.green("  + " + taint.value())));
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
