package io.nodeward.cli.taint;

import io.nodeward.api.node.Taint;
import io.nodeward.cli.taint.NodeEditor.Edited;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.rules.impact.TaintDifference;
import java.io.PrintWriter;

/** Says what would change, Node by Node, and how many in the end. */
final class Preview {
    private final PrintWriter out;
    private final Terminal terminal;
    private int all;
    private int changed;

    Preview(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void print(Edited edited) {
        TaintDifference difference = TaintDifference.of(edited.before().taints(), edited.edit().taints());
        all++;
        if (difference.isEmpty()) {
            out.println("node/" + edited.before().key().name() + " unchanged");
            return;
        }
        changed++;
        out.println("node/" + edited.before().key().name());
        difference.removed().forEach(taint -> out.println(terminal.red("  - " + text(taint))));
        difference.changed().forEach(pair -> out.println(
                terminal.yellow("  ~ " + text(pair.before()) + " -> " + text(pair.after()))));
        difference.added().forEach(taint -> out.println(terminal.green("  + " + text(taint))));
        out.flush();
    }

    void end() {
        out.println(changed + " of " + all + (all == 1 ? " Node changes" : " Nodes change") + ", nothing is written");
        out.flush();
    }

    private static String text(Taint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect();
    }
}
