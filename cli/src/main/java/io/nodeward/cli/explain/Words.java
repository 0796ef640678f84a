package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.origin.Since;
import io.nodeward.core.rules.origin.TaintOrigin;
import io.nodeward.core.rules.toleration.Eviction;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The words that several views share. */
public final class Words {
    private Words() {}

    static String from(TaintOrigin origin) {
        String by = origin.by().isEmpty() ? origin.source().text() : origin.by();
        return by + (origin.certain() || origin.by().isEmpty() ? "" : ", most likely");
    }

    static String since(Since since) {
        return since.at() + (since.exact() ? "" : " at the latest");
    }

    static String tracked(TaintOrigin.Tracking tracking) {
        return tracking.annotation() + (tracking.manager().isEmpty() ? "" : ", by " + tracking.manager());
    }

    public static String when(Eviction eviction) {
        return switch (eviction) {
            case Eviction.Never() -> "never";
            case Eviction.Now() -> "at once";
            case Eviction.After(var time) -> "after " + time.toSeconds() + "s";
        };
    }

    /** Puts how many seconds a pod stays; nothing if it is never evicted. */
    public static void seconds(ObjectNode json, String field, Eviction eviction) {
        switch (eviction) {
            case Eviction.Never() -> {}
            case Eviction.Now() -> json.put(field, 0);
            case Eviction.After(var time) -> json.put(field, time.toSeconds());
        }
    }

    /** Returns a constant's name as programs read it: {@code OTHER_VALUE} as {@code OtherValue}. */
    public static String camel(Enum<?> constant) {
        return Arrays.stream(constant.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    public static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Returns the first names, and how many more there are. */
    public static String some(List<String> names, int most) {
        String first = names.stream().limit(most).collect(Collectors.joining(", "));
        return names.size() > most ? first + " and " + (names.size() - most) + " more" : first;
    }
}
