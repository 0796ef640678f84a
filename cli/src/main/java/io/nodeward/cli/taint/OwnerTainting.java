package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.taint.OwnerEditor.Edited;
import io.nodeward.cli.terminal.Progress;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.NodeSelection;
import io.nodeward.core.rules.command.Removal;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintRefusal;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code nodeward taint machinedeployment/NAME} and the like: one owner after another. */
final class OwnerTainting {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final String BY_ANNOTATION =
            "Cluster API takes no taints here while its gate MachineTaintPropagation"
                    + " is off, and none in MachinePools; an annotation does the same: docs/guide/annotations.md";

    private final LiveCluster cluster;
    private final ClusterOptions options;
    private final OwnerKind kind;
    private final TaintCommand command;
    private final TaintOptions request;
    private final Session session;
    private final Faults faults = new Faults();
    private final List<Edited> edited = new ArrayList<>();

    OwnerTainting(LiveCluster cluster, ClusterOptions options, OwnerKind kind, TaintCommand command,
            TaintOptions request, Session session) {
        this.cluster = cluster;
        this.options = options;
        this.kind = kind;
        this.command = command.declaring(DeclaredList.with(request.propagation));
        this.request = request;
        this.session = session;
    }

    /** The exit code. */
    int run() {
        OwnerEditor editor = new OwnerEditor(cluster, kind, command, request, session::warn);
        Optional<DryRunDiff> diff = DryRunDiff.of(command, session);
        for (String name : names(editor)) {
            try {
                Edited one = editor.edit(name);
                print(one, name);
                diff.ifPresent(it -> one.places().forEach(
                        place -> it.print(place.place().name(), place.before(), place.edit().taints())));
                edited.add(one);
            } catch (TaintRefusal refusal) {
                faults.add(refusal);
            } catch (IllegalArgumentException elsewhere) {
                faults.add(String.valueOf(elsewhere.getMessage()));
            } catch (LiveFailure failure) {
                faults.add(failure);
                if (isAboutTaints(failure)) {
                    faults.advise(BY_ANNOTATION);
                }
            }
        }
        diff.ifPresent(it -> it.end(kind == OwnerKind.CLUSTER ? "place" : kind.typed("").replace("/", "")));
        if (request.await && command.dryRun() == DryRun.NONE) {
            await(editor);
        }
        faults.lines().forEach(session.err()::println);
        return faults.isEmpty() ? 0 : 1;
    }

    private List<String> names(OwnerEditor editor) {
        return command.selection() instanceof NodeSelection.Named(var names)
                ? names
                : cluster.list(editor.resource(), cluster.namespace(), request.selector.strip(), "",
                        owner -> owner.at("/metadata/name").asText());
    }

    private void print(Edited one, String name) {
        String format = command.output().format();
        if (format.equalsIgnoreCase("name")) {
            session.say(kind.object(name));
        } else if (command.output().printsObjects()) {
            ObjectNode owner = one.owner();
            if (!request.showManagedFields) {
                owner.withObject("/metadata").remove("managedFields");
            }
            JsonNode sorted = GoFormats.sorted(owner);
            session.out().print(format.equalsIgnoreCase("json") ? GoFormats.json(sorted) : GoFormats.yaml(sorted));
        } else {
            session.say(kind.object(name) + " " + one.operation().text());
        }
        session.out().flush();
    }

    private void await(OwnerEditor editor) {
        List<Taint> always = command.added().stream().filter(DeclaredList::isAlways).toList();
        PropagationWait.Wanted wanted = new PropagationWait.Wanted(always, gone(always));
        try (Progress progress = Progress.ofWaiting(session.terminal(), session.err())) {
            PropagationWait wait = new PropagationWait(cluster, options, session.time(), request.timeout(), progress);
            for (Edited one : edited) {
                await(wait, PropagationWait.Awaited.of(kind, editor.resource(), one), wanted).ifPresent(message -> {
                    progress.clear();
                    session.say(message);
                });
            }
        }
    }

    private Optional<String> await(PropagationWait wait, PropagationWait.Awaited awaited,
            PropagationWait.Wanted wanted) {
        try {
            return wait.await(awaited, wanted, faults);
        } catch (LiveFailure failure) {
            faults.add(failure); // the others are waited for
            return Optional.empty();
        }
    }

    /** What no Node is to have: given taints that replace others by key leave none of another effect. */
    private List<Removal> gone(List<Taint> added) {
        List<Removal> gone = new ArrayList<>(command.removed());
        if (request.replaceKey) {
            added.forEach(taint -> EFFECTS.stream()
                    .filter(effect -> command.added().stream()
                            .noneMatch(other -> other.key().equals(taint.key()) && other.effect().equals(effect)))
                    .forEach(effect -> gone.add(new Removal(taint.key(), effect))));
        }
        return gone;
    }

    private static boolean isAboutTaints(LiveFailure failure) {
        return failure.words().contains("taints") && failure.api()
                .filter(api -> api instanceof ApiFailure.Rejected || api instanceof ApiFailure.Forbidden)
                .isPresent();
    }
}
