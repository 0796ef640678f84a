package io.nodeward.cli.taint;

import io.nodeward.api.node.Node;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.taint.EvictionWait.Tainted;
import io.nodeward.cli.taint.NodeEditor.Edited;
import io.nodeward.cli.terminal.Progress;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.NodeSelection;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintRefusal;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code nodeward taint nodes}: one Node after another, and on after one that cannot be changed. */
final class NodeTainting {
    private final LiveCluster cluster;
    private final TaintCommand command;
    private final TaintOptions request;
    private final Session session;
    private final Faults faults = new Faults();
    private final List<Tainted> tainted = new ArrayList<>();

    NodeTainting(LiveCluster cluster, TaintCommand command, TaintOptions request, Session session) {
        this.cluster = cluster;
        this.command = command;
        this.request = request;
        this.session = session;
    }

    private record Wanted(String name, Optional<Node> read) {}

    /** The exit code. */
    int run() {
        List<Wanted> wanted = wanted();
        NodeEditor editor = new NodeEditor(cluster, command, request.lenience(), request.fieldManager);
        NodePrinter printer = new NodePrinter(session.out(), command.output(), request.showManagedFields, cluster);
        Optional<DryRunDiff> diff = DryRunDiff.of(command, session);
        try (Progress progress = Progress.of(session.terminal(), session.err(), wanted.size())) {
            int done = 0;
            for (Wanted node : wanted) {
                progress.show(done++, wanted.size(), "Nodes; " + node.name);
                if (!edit(editor, node, edited -> {
                    progress.clear();
                    printer.print(edited);
                    diff.ifPresent(it -> it.print("", edited.before().taints(), edited.edit().taints()));
                })) {
                    break;
                }
            }
        }
        diff.ifPresent(it -> it.end("Node"));
        if (request.await && command.dryRun() == DryRun.NONE) {
            await();
        }
        faults.lines().forEach(session.err()::println);
        return faults.isEmpty() ? 0 : 1;
    }

    /** Whether to go on with others. */
    private boolean edit(NodeEditor editor, Wanted node, java.util.function.Consumer<Edited> print) {
        try {
            Edited edited = editor.edit(node.name, node.read);
            print.accept(edited);
            tainted.add(new Tainted(edited.before(), edited.edit().taints()));
            return true;
        } catch (TaintRefusal refusal) {
            faults.add(refusal);
            return true;
        } catch (LiveFailure failure) {
            faults.add(failure);
            return failure.api().filter(NodeTainting::isOfAllNodes).isEmpty();
        }
    }

    private static boolean isOfAllNodes(ApiFailure failure) {
        return failure instanceof ApiFailure.Unauthorized
                || failure instanceof ApiFailure.Unreachable && failure.status().code() == 0;
    }

    private void await() {
        try (Progress progress = Progress.ofWaiting(session.terminal(), session.err())) {
            new EvictionWait(cluster, session.time(), request.timeout(), progress).await(tainted, faults);
        } catch (LiveFailure failure) {
            faults.add(failure);
        }
    }

    private List<Wanted> wanted() {
        return switch (command.selection()) {
            case NodeSelection.Named(var names) ->
                    names.stream().map(name -> new Wanted(name, Optional.empty())).toList();
            case NodeSelection.All() -> listed(Optional.empty());
            case NodeSelection.Selected(var selector) -> listed(Optional.of(selector));
        };
    }

    private List<Wanted> listed(Optional<LabelSelector> selector) {
        return cluster.list(LiveCluster.NODES, "", selector.isPresent() ? request.selector.strip() : "", "",
                NodeEditor::node).stream()
                .map(node -> new Wanted(node.key().name(), Optional.of(node)))
                .toList();
    }
}
