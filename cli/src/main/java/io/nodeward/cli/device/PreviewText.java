package io.nodeward.cli.device;

import io.nodeward.api.pod.Pod;
import io.nodeward.cli.explain.BudgetWords;
import io.nodeward.cli.explain.Words;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.DriverTaint;
import io.nodeward.core.rules.impact.Budget;
import io.nodeward.core.rules.preview.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells what rules would do, in the numbers of their status.
 *
 * @param effect of the taint
 */
record PreviewText(DevicePreview preview, Optional<String> unknownUse, String effect) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(preview.devices().count() == 0 ? "selects no device"
                : "selects " + counted(preview.devices(), "device"));
        lines.add(effect.equals("NoExecute") ? evicted() : "evicts no pod; " + evictions());
        if (preview.tolerating().count() > 0) {
            lines.add("the taint is tolerated by " + counted(preview.tolerating(), "pod"));
        }
        if (!preview.driverTaints().isEmpty()) {
            lines.add("their drivers have published "
                    + preview.driverTaints().stream().map(PreviewText::words).collect(Collectors.joining("; ")));
        }
        if (preview.evictedByKubernetes().count() > 0) {
            lines.add("Kubernetes evicts for these, in any case, " + counted(preview.evictedByKubernetes(), "pod"));
        }
        preview.failed().first().ifPresent(first -> lines.add("there is no answer for "
                + Words.counted(preview.failed().devices().count(), "device") + ": " + first));
        preview.unknown().first().ifPresent(first -> lines.add("nobody knows of "
                + Words.counted(preview.unknown().devices().count(), "device") + " whether the rule selects it: "
                + first));
        return lines;
    }

    /** Returns how many pods NoExecute would evict, as far as it is known. */
    String evictions() {
        return "NoExecute " + evicted();
    }

    private String evicted() {
        Sample evicted = preview.evicted();
        if (unknownUse.isPresent() || evicted.count() == 0 && !preview.isKnown()) {
            return "would evict an unknown number of pods";
        }
        String known = evicted.count() == 0 ? "no pod" : counted(evicted, "pod");
        String in = preview.namespaces() > 1 ? ", in " + preview.namespaces() + " namespaces" : "";
        return "would evict " + (preview.isKnown() ? "" : "at least ") + known + in;
    }

    /** Tells which PodDisruptionBudgets would hold up pods that would be evicted. */
    Stream<String> budgets(Collection<Pod> evicted, List<Budget> all) {
        String waits = (effect.equals("NoExecute") ? "" : "NoExecute ") + "would wait for ";
        return BudgetWords.of(evicted, all).map(waits::concat);
    }

    private static String words(DriverTaint taint) {
        return taint.text() + " on " + Words.counted(taint.devices(), "device")
                + (taint.evicts() ? ", for which Kubernetes evicts pods, all at once" : "");
    }

    private static String counted(Sample sample, String what) {
        return Words.counted(sample.count(), what) + ": " + String.join(", ", sample.names())
                + (sample.count() > sample.names().size() ? ", ..." : "");
    }
}
