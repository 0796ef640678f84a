package io.nodeward.core.rules.command;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a command does to a fleet. It goes on after a Node that it cannot change, so a run that failed may have changed
 * others.
 *
 * @param printed lines, without those of whole objects
 * @param patched Nodes that were written, in order; one that was written twice is there twice
 * @param taints of every Node afterwards, by its name
 * @param failure empty if nothing went wrong
 */
public record TaintRun(
        List<String> printed, List<String> patched, Map<String, List<Taint>> taints, Optional<Failure> failure) {

    public TaintRun {
        printed = List.copyOf(printed);
        patched = List.copyOf(patched);
        taints = Collections.unmodifiableMap(new LinkedHashMap<>(taints));
    }

    /**
     * What went wrong, in all.
     *
     * @param reason the first one
     * @param message what is printed, several lines if it was more than one thing
     */
    public record Failure(Reason reason, String message) {}

    /** @param nodes all Nodes, in the server's order, which is that of their names */
    public static TaintRun of(TaintCommand command, List<Node> nodes) {
        return new Draft(command, nodes).run();
    }

    private static final class Draft {
        private final TaintCommand command;
        private final List<String> names;
        private final Map<String, List<Taint>> taints = new LinkedHashMap<>();
        private final List<String> printed = new ArrayList<>();
        private final List<String> patched = new ArrayList<>();
        private final List<TaintRefusal> refusals = new ArrayList<>();

        Draft(TaintCommand command, List<Node> nodes) {
            this.command = command;
            this.names = command.selection().names(nodes);
            nodes.forEach(node -> taints.put(node.key().name(), node.taints()));
        }

        TaintRun run() {
            for (String name : names) {
                try {
                    change(name);
                } catch (TaintRefusal refusal) {
                    refusals.add(refusal);
                }
            }
            return new TaintRun(printed, patched, taints, failure());
        }

        private void change(String name) {
            List<Taint> before = taints.get(name);
            if (before == null) {
                throw TaintRefusal.ofLine(Reason.NO_SUCH_NODE,
                        "Error from server (NotFound): nodes " + Quoted.of(name) + " not found");
            }
            TaintEdit edit = command.edit(name, before);
            command.output().requireKnown();
            if (command.dryRun() == DryRun.NONE) {
                taints.put(name, edit.taints());
                patched.add(name);
            }
            command.output().line(name, edit.operation()).ifPresent(printed::add);
        }

        private Optional<Failure> failure() {
            if (refusals.isEmpty()) {
                return Optional.empty();
            }
            TaintRefusal first = refusals.get(0);
            String message = refusals.size() == 1
                    ? first.line()
                    : refusals.stream().map(TaintRefusal::lineAmongOthers).collect(Collectors.joining("\n"));
            return Optional.of(new Failure(first.reason(), message));
        }
    }
}
