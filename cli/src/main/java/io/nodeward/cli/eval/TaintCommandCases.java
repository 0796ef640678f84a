package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.command.ResourceTypes;
import io.nodeward.core.rules.command.TaintArguments;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintRefusal;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.command.TaintRun;
import io.nodeward.core.rules.command.TaintRun.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code kubectl taint} does with these arguments to these Nodes, and says. */
final class TaintCommandCases {
    private static final String ERROR = "error: ";
    /** The vectors were made below the part of kubectl that says "error: " of flags. */
    private static final String FLAG = "flag: ";

    private TaintCommandCases() {}

    static ObjectNode result(JsonNode c) {
        List<Node> nodes = Fields.objects(c, "nodes", TaintCommandCases::node);
        TaintRun run = run(Fields.texts(c, "args"), nodes);
        ObjectNode result = Answers.object().put("ok", run.failure().isEmpty());
        run.failure().ifPresent(failure -> result
                .put("errorClass", failure.reason().text())
                .put("message", message(failure)));
        result.set("patched", Answers.texts(run.patched()));
        result.put("stdout", String.join("\n", run.printed()));
        ObjectNode taints = Answers.object();
        run.taints().forEach((node, list) -> taints.set(node, Answers.taints(list)));
        result.set("taints", taints);
        return result;
    }

    private static TaintRun run(List<String> args, List<Node> nodes) {
        Map<String, List<Taint>> taints = new LinkedHashMap<>();
        nodes.forEach(node -> taints.put(node.key().name(), node.taints()));
        if (taints.size() < nodes.size()) {
            throw new UnusableCaseException("nodes have one name twice");
        }
        try {
            TaintArguments arguments = TaintArguments.parse(args);
            if (arguments.asksForHelp()) {
                throw new UnusableCaseException("args ask for help alone");
            }
            TaintCommand command = TaintCommand.of(arguments, ResourceTypes.builtIn());
            if (command.output().printsObjects() && command.output().isKnown()) {
                throw new UnusableCaseException("args ask for whole objects, which a case does not have");
            }
            return TaintRun.of(command, nodes);
        } catch (TaintRefusal refusal) {
            Failure failure = new Failure(refusal.reason(), refusal.line());
            return new TaintRun(List.of(), List.of(), taints, Optional.of(failure));
        }
    }

    private static String message(Failure failure) {
        return failure.reason() == Reason.UNUSABLE_FLAG
                ? FLAG + failure.message().substring(ERROR.length())
                : failure.message();
    }

    private static Node node(JsonNode node) {
        return new Node(Fields.metadata(Fields.text(node, "name"), Fields.textMap(node, "labels"), Map.of()), "",
                Fields.taints(node));
    }
}
