package io.nodeward.cli.taint;

import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.core.rules.command.TaintRefusal;
import java.util.ArrayList;
import java.util.List;

/** What went wrong with some Nodes while the command went on with others; told at its end as kubectl tells it. */
final class Faults {
    private record Fault(String alone, String amongOthers) {}

    private final List<Fault> faults = new ArrayList<>();
    private final List<String> advice = new ArrayList<>();

    void add(TaintRefusal refusal) {
        faults.add(new Fault(refusal.line(), refusal.lineAmongOthers()));
    }

    void add(LiveFailure failure) {
        faults.add(new Fault(failure.words(), failure.words()));
        if (!failure.advice().isEmpty()) {
            advise(failure.advice());
        }
    }

    void add(String line) {
        String harmless = Harmless.lines(line);
        faults.add(new Fault("error: " + harmless, harmless));
    }

    /** A line after all faults, once. */
    void advise(String line) {
        String harmless = Harmless.lines(line);
        if (!advice.contains(harmless)) {
            advice.add(harmless);
        }
    }

    boolean isEmpty() {
        return faults.isEmpty();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(faults.stream()
                .map(fault -> faults.size() == 1 ? fault.alone : fault.amongOthers)
                .toList());
        lines.addAll(advice);
        return lines;
    }
}
