package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * The taint of a DeviceTaintRule, or one of a DeviceTaintSlice.
 *
 * @param value empty if it has none
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; any other has no effect
 * @param timeAdded empty if nobody has set it
 * @param dataBytes how long its {@code data} is in JSON; 0 if it has none. Nothing acts on what they say
 * @param description empty if it has none
 * @param evictionsPerSecond how many pods may be evicted for it in a second
 */
public record RuleTaint(
        String key,
        String value,
        String effect,
        Optional<Instant> timeAdded,
        int dataBytes,
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
        return new RuleTaint(key, value, effect, Optional.of(time), dataBytes, description, evictionsPerSecond);
    }

    static RuleTaint of(Tree taint) {
        return new RuleTaint(taint.at("key").string(), taint.at("value").string(), taint.at("effect").string(),
                time(taint.at("timeAdded").string()), bytes(taint.at("data")), taint.at("description").string(),
                taint.at("evictionsPerSecond").integer().orElse(DEFAULT_EVICTIONS_PER_SECOND));
    }

    static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static int bytes(Tree data) {
        return data instanceof Tree.Absent ? 0 : Trees.text(data).getBytes(StandardCharsets.UTF_8).length;
    }
}
