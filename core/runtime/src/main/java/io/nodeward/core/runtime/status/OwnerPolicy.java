package io.nodeward.core.runtime.status;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What keys stand for, and when and in which words an {@link OwnerStatus} reports what members contribute.
 *
 * @param <K> what work is queued by: members and owners
 * @param controller its name, for example {@code machinepool}
 * @param owner the key of an owner, which reports; empty if only the target of a member's decision tells
 * @param member tells the members of one owner apart, and orders them; empty for the owner itself
 * @param name of a member in messages
 * @param onlyLasting whether nothing is reported before it has lasted
 * @param text of messages; empty if what blocks a member names it
 */
public record OwnerPolicy<K>(
        String controller,
        BiFunction<K, Optional<Target>, Optional<K>> owner,
        Function<K, String> member,
        Function<K, String> name,
        boolean onlyLasting,
        Optional<Text> text) {
    /** The text of messages. */
    @FunctionalInterface
    public interface Text {
        /**
         * @param members names of the first
         * @param others whether there are more
         * @param first what blocks the first
         */
        String of(List<String> members, boolean others, String first);
    }

    /**
     * What is certain of a member is reported at once, but nothing before each member has been looked at. All are known, and
     * each keeps its owner.
     */
    public static <K> OwnerPolicy<K> atOnce(
            String controller, UnaryOperator<K> owner, Function<K, String> member) {
        return new OwnerPolicy<>(controller, (key, target) -> Optional.of(owner.apply(key)), member, member, false,
                Optional.empty());
    }

    /**
     * Nothing is reported before it has lasted: beside another controller that writes to the same objects a member is often
     * blocked for as long as that needs. A member may get another owner, and nobody knows all members of one. The texts of
     * keys order them.
     *
     * @param name with the member's kind
     */
    public static <K> OwnerPolicy<K> lasting(
            String controller, Function<Target, K> owner, Function<K, String> name, Text text) {
        return new OwnerPolicy<>(controller, (key, target) -> target.map(owner), K::toString, name, true,
                Optional.of(text));
    }
}
