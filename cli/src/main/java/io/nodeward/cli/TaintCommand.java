package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.taint.Session;
import io.nodeward.cli.taint.TaintOptions;
import io.nodeward.cli.taint.Tainting;
import io.nodeward.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nodeward taint}: kubectl taint, and more. Its arguments come in canonical form, see {@link Main}. */
@Command(name = "taint", sortOptions = false, customSynopsis = {
        "nodeward taint nodes NAME... TAINT... [options]",
        "nodeward taint machinedeployment/NAME... TAINT... [options]",
        "nodeward taint machinepool/NAME... | machineset/NAME... | machine/NAME... ...",
        "nodeward taint cluster/NAME --place PLACE TAINT... [options]"
}, description = {
        "Updates the taints on one or more Nodes, in kubectl taint's grammar and words, without losing what others"
                + " write meanwhile; or those that owners of Nodes declare for them, where they belong.",
        "TAINT is KEY[=VALUE]:EFFECT, or with a '-' at its end, KEY[:EFFECT]-, one to be removed; EFFECT is NoSchedule,"
                + " PreferNoSchedule or NoExecute.",
        "Exit codes: 0 done, 1 anything went wrong; other Nodes may have been changed."
})
final class TaintCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Time time;

    @Parameters(paramLabel = "ARG", hidden = true)
    List<String> words = new ArrayList<>();

    @Mixin
    TaintOptions options = new TaintOptions();

    @Mixin
    ClusterOptions cluster;

    @Spec
    @Nullable
    CommandSpec spec;

    TaintCommand(Terminal terminal, ClusterOptions cluster, Time time) {
        this.terminal = terminal;
        this.cluster = cluster;
        this.time = time;
    }

    @Override
    public Integer call() {
        if (spec == null) {
            return 1;
        }
        Session session = new Session(spec.commandLine().getOut(), spec.commandLine().getErr(), terminal, time);
        return new Tainting(options, cluster, session).run(words);
    }
}
