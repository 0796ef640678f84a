package io.nodeward.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Leads through the tour: says what is edited, edits, waits until it has come true, says what it took. */
final class Guide {
    private final Fleet fleet;
    private final Witness witness;
    private final Display display;
    private final Pace pace;
    private int done;
    private boolean failed;
    private boolean quit;

    Guide(Fleet fleet, Witness witness, Display display, Pace pace) {
        this.fleet = fleet;
        this.witness = witness;
        this.display = display;
        this.pace = pace;
    }

    /** Ends early where somebody quits, and with a step that does not come true: each stands on the one before. */
    void lead(List<Step> steps) throws InterruptedException {
        for (int i = 0; i < steps.size() && !quit && !failed; i++) {
            take(steps.get(i), "Step " + (i + 1) + " of " + steps.size() + ": ");
        }
    }

    /** Steps that came true. */
    int done() {
        return done;
    }

    boolean hasFailed() {
        return failed;
    }

    boolean hasQuit() {
        return quit;
    }

    private void take(Step step, String number) throws InterruptedException {
        List<String> text = new ArrayList<>();
        text.add(number + step.title());
        add(text, "  edit    ", step.edit());
        display.before(fleet.pairs(), text);
        pause(pace.beforeEdit());
        if (quit) {
            return;
        }
        witness.edit();
        step.action().run();
        if (await(step)) {
            done++;
            add(text, "  result  ", step.result());
        } else if (quit) {
            return;
        } else {
            failed = true;
            text.add("  FAILED  did not come true within " + pace.patience().toSeconds() + " s, or not by "
                    + (step.writes() == 1 ? "1 write" : step.writes() + " writes"));
        }
        text.add("  cost    " + witness.cost());
        display.after(fleet.pairs(), text, step.machine());
        pause(pace.afterResult());
    }

    private static void add(List<String> text, String label, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            text.add((i == 0 ? label : " ".repeat(label.length())) + lines.get(i));
        }
    }

    private boolean await(Step step) throws InterruptedException {
        long end = System.nanoTime() + pace.patience().toNanos();
        while (!isDone(step)) {
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (left.isNegative() || quit) {
                return false;
            }
            witness.next(left).ifPresent(this::heed);
            display.during(fleet.pairs());
        }
        return witness.writes() == step.writes() && witness.allAccepted();
    }

    // The write is in the server's log a moment after it is stored, so both are waited for.
    private boolean isDone(Step step) {
        return witness.writes() >= step.writes() && step.isTrue().getAsBoolean();
    }

    private void heed(Happening happening) {
        if (happening instanceof Happening.Typed typed) {
            quit |= typed.quits();
            display.typed();
        }
    }

    /** For whoever reads along; Enter ends it. */
    private void pause(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (!quit) {
            Happening next = witness.next(Duration.ofNanos(end - System.nanoTime())).orElse(null);
            if (next == null) {
                return;
            }
            heed(next);
            if (next instanceof Happening.Typed) {
                return;
            }
            display.during(fleet.pairs());
        }
    }
}
