package io.nodeward.core.rules.command;

import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tells flags from other arguments, in any order, by the rules of kubectl's flag library. */
public final class Flags {
    private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
    private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");

    private final List<Flag> known;
    private final Map<String, List<String>> given = new LinkedHashMap<>();
    private final List<String> others = new ArrayList<>();

    private Flags(List<Flag> known) {
        this.known = known;
    }

    /**
     * One flag.
     *
     * @param letter empty if it has no short form
     * @param truth whether its value is true or false
     * @param absent its value if it is not given
     * @param bare its value if it is given without one; empty if it needs one
     */
    public record Flag(String name, String letter, boolean truth, String absent, String bare) {
        public static Flag text(String name, String letter, String absent) {
            return new Flag(name, letter, false, absent, "");
        }

        public static Flag truth(String name, boolean absent) {
            return new Flag(name, "", true, String.valueOf(absent), "true");
        }
    }

    /**
     * What was given.
     *
     * @param flags the values of each flag that was given, by its name; of one that counts once, the last one counts
     * @param others arguments that are no flags, in their order
     */
    public record Given(Map<String, List<String>> flags, List<String> others) {
        public Given {
            flags = Collections.unmodifiableMap(new LinkedHashMap<>(flags));
            others = List.copyOf(others);
        }

        /** The value that counts of each known flag. */
        Map<String, String> values(List<Flag> known) {
            Map<String, String> values = new HashMap<>();
            known.forEach(flag -> values.put(
                    flag.name, flags.getOrDefault(flag.name, List.of(flag.absent)).getLast()));
            return values;
        }
    }

    /** @throws TaintRefusal if a flag cannot be read */
    public static Given parse(List<Flag> known, List<String> args) {
        Flags flags = new Flags(known);
        flags.read(new ArrayDeque<>(args));
        return new Given(flags.given, flags.others);
    }

    static Optional<Boolean> truth(String text) {
        return TRUE.contains(text)
                ? Optional.of(true)
                : FALSE.contains(text) ? Optional.of(false) : Optional.empty();
    }

    private void read(Deque<String> args) {
        while (!args.isEmpty()) {
            String arg = args.pop();
            if (arg.equals("--")) {
                others.addAll(args);
                return;
            } else if (arg.startsWith("--")) {
                readLong(arg, args);
            } else if (arg.startsWith("-") && arg.length() > 1) {
                readShort(arg.substring(1), args);
            } else {
                others.add(arg);
            }
        }
    }

    private void readLong(String arg, Deque<String> rest) {
        if (arg.charAt(2) == '-' || arg.charAt(2) == '=') {
            throw refuse("bad flag syntax: " + arg);
        }
        int equals = arg.indexOf('=');
        String name = arg.substring(2, equals < 0 ? arg.length() : equals);
        Flag flag = known.stream()
                .filter(f -> f.name.equals(name))
                .findFirst()
                .orElseThrow(() -> refuse("unknown flag: --" + name));
        if (equals >= 0) {
            set(flag, arg.substring(equals + 1));
        } else if (!flag.bare.isEmpty()) {
            set(flag, flag.bare);
        } else if (!rest.isEmpty()) {
            set(flag, rest.pop());
        } else {
            throw refuse("flag needs an argument: --" + name);
        }
    }

    /** Letters may stand together; the first that needs a value takes the rest for it. */
    private void readShort(String letters, Deque<String> rest) {
        for (String left = letters; !left.isEmpty();) {
            String letter = left.substring(0, 1);
            String all = left;
            Flag flag = known.stream()
                    .filter(f -> f.letter.equals(letter))
                    .findFirst()
                    .orElseThrow(() -> refuse("unknown shorthand flag: '" + letter + "' in -" + all));
            if (left.length() > 2 && left.charAt(1) == '=') {
                set(flag, left.substring(2));
            } else if (!flag.bare.isEmpty()) {
                set(flag, flag.bare);
                left = left.substring(1);
                continue;
            } else if (left.length() > 1) {
                set(flag, left.substring(1));
            } else if (!rest.isEmpty()) {
                set(flag, rest.pop());
            } else {
                throw refuse("flag needs an argument: '" + letter + "' in -" + all);
            }
            return;
        }
    }

    private void set(Flag flag, String value) {
        if (flag.truth && truth(value).isEmpty()) {
            String name = (flag.letter.isEmpty() ? "" : "-" + flag.letter + ", ") + "--" + flag.name;
            throw refuse("invalid argument " + Quoted.of(value) + " for " + Quoted.of(name)
                    + " flag: strconv.ParseBool: parsing " + Quoted.of(value) + ": invalid syntax");
        }
        given.computeIfAbsent(flag.name, name -> new ArrayList<>()).add(value);
    }

    private static TaintRefusal refuse(String fault) {
        return TaintRefusal.of(Reason.UNUSABLE_FLAG, fault);
    }
}
