package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The taint of a DeviceTaintRule, or one of a DeviceTaintSlice.
 *
 * @param value empty if it has none
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; any other has no effect
 * @param timeAdded empty if nobody has set it
 * @param data what belongs to the key
 * @param description empty if it has none
 * @param evictionsPerSecond how many pods may be evicted for it in a second
 */
public record RuleTaint(
        String key,
        String value,
        String effect,
        Optional<Instant> timeAdded,
        TaintData data,
        String description,
        long evictionsPerSecond) {
    /** Where a rule says nothing. */
    public static final long DEFAULT_EVICTIONS_PER_SECOND = 10;

    /** Whether the scheduler has to know of it. */
    public boolean keepsPodsOff() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }

    /** The same, added at this time. */
    public RuleTaint withTimeAdded(Instant time) {
        return new RuleTaint(key, value, effect, Optional.of(time), data, description, evictionsPerSecond);
    }

    /** Returns what the owner of the key says, for people: the description, and the data. */
    public String words() {
        return Stream.of(description, data.shown()).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }

    static RuleTaint of(Tree taint) {
        return new RuleTaint(taint.at("key").string(), taint.at("value").string(), taint.at("effect").string(),
                time(taint.at("timeAdded").string()), TaintData.of(taint.at("data")), taint.at("description").string(),
                taint.at("evictionsPerSecond").integer().orElse(DEFAULT_EVICTIONS_PER_SECOND));
    }

    static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
