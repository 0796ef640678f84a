package io.nodeward.api.pod;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.util.Comparator;
import java.util.OptionalLong;

/**
 * What a pod tolerates of Nodes, or a claim of devices. Texts are as stored: rules decide what of them can be used.
 *
 * @param key empty: any key
 * @param operator one of the constants here; empty means {@link #EQUAL}
 * @param value empty if absent
 * @param effect empty: any effect
 * @param seconds {@code tolerationSeconds}: how long the effect {@code NoExecute} is tolerated; empty: for ever
 */
public record Toleration(String key, String operator, String value, String effect, OptionalLong seconds)
        implements Comparable<Toleration> {
    /** Keeps hash tables fast, as authors of pods can make as many tolerations of one hash code as a pod can hold. */
    private static final Comparator<Toleration> ORDER = Comparator.comparing(Toleration::key)
            .thenComparing(Toleration::operator).thenComparing(Toleration::value).thenComparing(Toleration::effect)
            .thenComparing(Toleration::seconds, Comparator.comparing(OptionalLong::isPresent)
                    .thenComparing(seconds -> seconds.orElse(0)));

    public static final String EXISTS = "Exists";
    public static final String EQUAL = "Equal";
    /** Taint's value less than the toleration's, both as numbers. */
    public static final String LESS = "Lt";
    /** Taint's value greater than the toleration's, both as numbers. */
    public static final String GREATER = "Gt";

    @Override
    public int compareTo(Toleration other) {
        return ORDER.compare(this, other);
    }

    /** Returns about how many bytes of heap it takes. */
    public long heapBytes() {
        return 4L * Metadata.PER_TEXT + key.length() + operator.length() + value.length() + effect.length();
    }

    /** Of an element of a list, whatever it holds. */
    public static Toleration of(Tree toleration) {
        return new Toleration(toleration.at("key").string(), toleration.at("operator").string(),
                toleration.at("value").string(), toleration.at("effect").string(),
                toleration.at("tolerationSeconds").integer());
    }

    /** Tolerates a key with any value, for ever. */
    public static Toleration exists(String key, String effect) {
        return new Toleration(key, EXISTS, "", effect, OptionalLong.empty());
    }

    /** Tolerates a key with this value, for ever. */
    public static Toleration equalTo(String key, String value, String effect) {
        return new Toleration(key, EQUAL, value, effect, OptionalLong.empty());
    }

    /** The same for this time only. */
    public Toleration forSeconds(long limit) {
        return new Toleration(key, operator, value, effect, OptionalLong.of(limit));
    }
}
