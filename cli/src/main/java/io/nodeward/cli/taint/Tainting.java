package io.nodeward.cli.taint;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.core.rules.command.ProposedEffects;
import io.nodeward.core.rules.command.ResourceTypes;
import io.nodeward.core.rules.command.TaintArguments;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintRefusal;
import java.util.List;
import java.util.Optional;

/** Carries a taint command out, and says in kubectl's words and exit codes what came of it. */
public final class Tainting {
    private static final String NAME = "nodeward taint";

    private final TaintOptions options;
    private final ClusterOptions clusterOptions;
    private final Session session;

    public Tainting(TaintOptions options, ClusterOptions cluster, Session session) {
        this.options = options;
        this.clusterOptions = cluster;
        this.session = session;
    }

    /**
     * Runs the command.
     *
     * @param words resources and taints
     * @return the exit code: 0, or 1 if anything went wrong, as kubectl's
     */
    public int run(List<String> words) {
        try {
            return taint(options.proposedEffects ? ProposedEffects.today(words) : words);
        } catch (TaintRefusal refusal) {
            session.err().println(refusal.line());
            hints(refusal, words);
        } catch (LiveFailure failure) {
            failure.lines().forEach(session.err()::println);
        } catch (IllegalArgumentException unusable) {
            session.err().println("error: " + Harmless.lines(String.valueOf(unusable.getMessage())));
        }
        return 1;
    }

    private int taint(List<String> words) {
        Optional<OwnerWords> owners = OwnerWords.of(words);
        List<String> asNodes = owners.map(OwnerWords::asNodes).orElse(words);
        TaintCommand command = TaintCommand.of(
                new TaintArguments(asNodes, options.kubectl()), ResourceTypes.builtIn());
        NodePrinter.requireOwn(command.output());
        options.require(command, owners.isPresent());
        if (options.dryRun.equals("unchanged")) {
            session.err().println(
                    "Warning: --dry-run is deprecated and can be replaced with --dry-run=client.");
        }
        try (LiveCluster cluster = clusterOptions.connect()) {
            return owners.isPresent()
                    ? new OwnerTainting(cluster, clusterOptions, owners.get().kind(), command, options, session).run()
                    : new NodeTainting(cluster, command, options, session).run();
        }
    }

    /** Prints where kubectl points to its help, and what the command could take. */
    private void hints(TaintRefusal refusal, List<String> words) {
        switch (refusal.reason()) {
            case UNREADABLE_TAINT, REPEATED_TAINT ->
                    session.err().println("See '" + NAME + " -h' for help and examples");
            case UNKNOWN_EFFECT -> {
                session.err().println("See '" + NAME + " -h' for help and examples");
                if (!options.proposedEffects) {
                    ProposedEffects.hint(words).ifPresent(session.err()::println);
                }
            }
            default -> { // says all
            }
        }
    }
}
