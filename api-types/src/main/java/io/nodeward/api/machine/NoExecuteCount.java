package io.nodeward.api.machine;

import java.util.Map;

/**
 * The Nodes of one owner that newly get the effect {@code NoExecute} by what it declares, which evicts pods.
 *
 * @param waiting those that newly get it
 * @param lately those that got it in the last ten minutes
 * @param all of them
 * @param confirmed for how many that was confirmed
 */
public record NoExecuteCount(int waiting, int lately, int all, long confirmed) {
    /** Of the Nodes of an owner, so many percent need no confirmation by default. */
    public static final int DEFAULT_PERCENT = 10;
    /** So many Nodes of an owner need none, however few it has. */
    private static final int FEW = 10;
    private static final int PERCENT = 100;

    /** For how many Nodes an owner with these annotations confirms it; 0 if that is no number. */
    public static long confirmed(Map<String, String> annotations) {
        String text = annotations.getOrDefault(TaintAnnotations.CONFIRMED, "");
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }

    /** @param percent that needs no confirmation; 0 if nothing needs one */
    public boolean isUnconfirmed(int percent) {
        return percent > 0 && number() > confirmed && number() > Math.max(FEW, (long) all * percent / PERCENT);
    }

    private int number() {
        return waiting + lately;
    }

    /** What is wrong while it is unconfirmed, and how to confirm it. */
    public String message() {
        return number() + " of " + all + " Nodes would newly get NoExecute, which evicts their pods"
                + (lately == 0 ? "" : " (" + lately + " of them got it in the last ten minutes)")
                + "; to confirm, set the annotation " + TaintAnnotations.CONFIRMED + " to " + number();
    }
}
