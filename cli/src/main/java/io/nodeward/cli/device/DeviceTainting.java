package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.device.RuleWriting.Written;
import io.nodeward.cli.explain.NoSuchObjectException;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.validation.FieldFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code nodeward device taint} and {@code untaint}: rules are made after their preview, and deleted. */
public final class DeviceTainting {
    /** The kind before the name of a rule. The key of a taint without its minus is no rule's name. */
    private static final Pattern KIND = Pattern.compile("^(ndtr|devicetaintrules?(\\.nodeward\\.io)?)/");

    private static final String MEANT = "; --yes says that this is meant, --dry-run=client only shows it";

    private final Optional<LiveCluster> cluster;
    private final DeviceTaintOptions options;
    private final DryRun dryRun;
    private final Printer printer;
    private final PrintWriter err;

    /** The terminal of the user, who may be asked. */
    public interface Printer {
        /**
         * Prints a rule that was written.
         *
         * @param line of what was done
         * @param object as it is then; empty if it is gone
         */
        void print(String resource, String line, Optional<ObjectNode> object);

        /** Returns the answer of the user; empty if there is no terminal. */
        Optional<Boolean> confirmed(String question) throws IOException;
    }

    /**
     * Checks the options before anything is read.
     *
     * @param cluster empty if the devices come from files
     */
    public DeviceTainting(Optional<LiveCluster> cluster, DeviceTaintOptions options, Printer printer, PrintWriter err) {
        this.cluster = cluster;
        this.options = options;
        this.dryRun = options.dryRun();
        this.printer = printer;
        this.err = err;
    }

    /** Returns the exit code. */
    public int taint(RuleRequest request, ClusterDevices devices)
            throws IOException, NoSuchObjectException {
        RuleWriting writing = new RuleWriting(dryRun, cluster);
        Map<String, ObjectNode> rules = request.rules(devices);
        Map<String, DeviceTaintRule> declared = new LinkedHashMap<>();
        rules.forEach((name, rule) -> declared.put(name, Rule.declared(rule)));
        for (DeviceTaintRule rule : declared.values()) {
            List<FieldFault> faults = devices.faults(rule);
            if (!faults.isEmpty()) {
                throw new IllegalArgumentException(
                        faults.stream().map(FieldFault::text).collect(Collectors.joining("; ")));
            }
        }
        devices.warnings().forEach(this::warn);
        DeviceTaintRule first = declared.values().iterator().next();
        RuleFaults.warnings(first).forEach(this::warn);
        devices.missingClass(first).ifPresent(name -> warn("there is no DeviceClass " + name
                + ": the rule selects no device until there is one"));
        Set<Pod> evicted = new LinkedHashSet<>();
        DevicePreview preview = devices.preview(declared, evicted::add);
        devices.pods().gap().get().ifPresent(this::warn);
        PreviewText text = new PreviewText(preview, devices.unknownUse().or(devices.pods().gap()),
                request.taint().effect());
        Stream.concat(text.lines().stream(), first.eviction().respectsBudgets()
                ? text.budgets(evicted, devices.budgets()) : Stream.empty())
                .forEach(line -> err.println(Harmless.line(request.taint() + " " + line)));
        if (request.taint().effect().equals("NoExecute") && !isConfirmed(text.evictions())) {
            return 1;
        }
        boolean done = true;
        for (Map.Entry<String, ObjectNode> rule : rules.entrySet()) {
            done &= attempt(() -> print(writing.write(rule.getKey(), rule.getValue(), options.overwrite)));
        }
        return done ? 0 : 1;
    }

    private void print(Written written) {
        printer.print(written.resource(), written.line(), written.object());
    }

    /**
     * Deletes rules.
     *
     * @param words names of rules, and taints, of which all rules are meant that have them
     * @return the exit code
     */
    public int untaint(List<String> words) throws IOException {
        if (cluster.isEmpty()) {
            throw new IllegalArgumentException("untaint deletes rules of a cluster, and none of files");
        }
        RuleWriting writing = new RuleWriting(dryRun, cluster);
        Map<String, Optional<TaintWord>> rules = new LinkedHashMap<>();
        Map<String, Optional<TaintWord>> byTaint = new LinkedHashMap<>();
        boolean found = true;
        for (String word : words) {
            if (!TaintWord.isTaint(word)) {
                rules.put(KIND.matcher(word).replaceFirst(""), Optional.empty());
                continue;
            }
            TaintWord taint = TaintWord.removed(word);
            List<String> having = writing.having(taint);
            having.forEach(name -> byTaint.put(name, Optional.of(taint)));
            if (having.isEmpty()) {
                err.println(Harmless.line("error: taint \"" + taint + "\" not found"));
                found = false;
            }
        }
        byTaint.forEach(rules::putIfAbsent);
        if (byTaint.size() > 1 && !isConfirmed(Words.counted(byTaint.size(), "rule") + " would be deleted: "
                + String.join(", ", byTaint.keySet()))) {
            return 1;
        }
        for (Map.Entry<String, Optional<TaintWord>> rule : rules.entrySet()) {
            found &= attempt(() -> print(writing.delete(rule.getKey(), rule.getValue())));
        }
        return found ? 0 : 1;
    }

    private boolean isConfirmed(String what) throws IOException {
        if (options.yes || dryRun != DryRun.NONE) {
            return true;
        }
        Optional<Boolean> answer = printer.confirmed(what + ". Go on? [y/N] ");
        if (answer.isEmpty()) {
            err.println(Harmless.line("error: " + what + MEANT));
        }
        return answer.orElse(false);
    }

    private boolean attempt(Runnable writing) {
        try {
            writing.run();
            return true;
        } catch (LiveFailure failure) {
            failure.lines().forEach(err::println);
            return false;
        }
    }

    private void warn(String what) {
        err.println("warning: " + Harmless.lines(what));
    }
}
