package io.nodeward.core.rules.command;

import static io.nodeward.core.rules.command.Commands.command;
import static io.nodeward.core.rules.command.Commands.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for every command on every Node. A failure prints the seed that leads to it. */
class CommandLawsTest {
    @Test
    void adding_twice_with_overwrite_is_adding_once() {
        forAll(c -> {
            TaintCommand command = command("nodes n1 --overwrite " + c.additions());
            TaintRun once = TaintRun.of(command, List.of(c.node));
            TaintRun twice = TaintRun.of(command, List.of(after(once)));

            assertThat(once.failure()).isEmpty();
            assertThat(twice).isEqualTo(once);
        });
    }

    @Test
    void what_was_given_is_there_first_and_in_its_order() {
        forAll(c -> {
            TaintCommand command = command("nodes n1 --overwrite " + c.additions());
            List<Taint> after = TaintRun.of(command, List.of(c.node)).taints().get("n1");

            assertThat(after.subList(0, command.added().size())).isEqualTo(command.added());
        });
    }

    @Test
    void taints_that_are_not_meant_stay_as_they_are_and_in_their_order() {
        forAll(c -> {
            TaintCommand command = command("nodes n1 " + c.words());
            List<Taint> after = TaintRun.of(command, List.of(c.node)).taints().get("n1");
            List<Taint> others = c.node.taints().stream().filter(taint -> !isMeant(command, taint)).toList();

            assertThat(after.stream().filter(others::contains).toList()).isEqualTo(others);
        });
    }

    @Test
    void a_node_never_has_two_taints_of_one_identity() {
        forAll(c -> {
            TaintRun run = TaintRun.of(command("nodes n1 " + c.words()), List.of(c.node));

            assertThat(run.taints().get("n1")).extracting(Taint::id).doesNotHaveDuplicates();
        });
    }

    @Test
    void a_run_that_fails_changes_nothing_and_one_that_succeeds_prints_one_line() {
        forAll(c -> {
            TaintRun run = TaintRun.of(command("nodes n1 " + c.words()), List.of(c.node));

            assertThat(run.failure().isPresent()).isEqualTo(run.patched().isEmpty());
            assertThat(run.printed()).hasSameSizeAs(run.patched());
            if (run.failure().isPresent()) {
                assertThat(run.taints().get("n1")).isEqualTo(c.node.taints());
            }
        });
    }

    @Test
    void removing_what_was_added_gives_back_what_was_there() {
        forAll(c -> {
            TaintCommand add = command("nodes n1 " + c.additions());
            TaintRun added = TaintRun.of(add, List.of(c.node));
            if (added.failure().isEmpty()) {
                TaintCommand remove = command("nodes n1 " + add.added().stream()
                        .map(taint -> taint.id() + "-")
                        .collect(Collectors.joining(" ")));
                assertThat(TaintRun.of(remove, List.of(after(added))).taints().get("n1"))
                        .isEqualTo(c.node.taints());
            }
        });
    }

    @Test
    void what_was_removed_by_key_is_gone_with_every_effect() {
        forAll(c -> {
            TaintCommand command = command("nodes n1 " + c.words());
            TaintRun run = TaintRun.of(command, List.of(c.node));
            if (run.failure().isEmpty()) {
                assertThat(run.taints().get("n1"))
                        .noneMatch(taint -> command.removed().stream().anyMatch(removal -> removal.matches(taint)));
            }
        });
    }

    private static boolean isMeant(TaintCommand command, Taint taint) {
        return command.added().stream().anyMatch(added -> added.id().equals(taint.id()))
                || command.removed().stream().anyMatch(removal -> removal.matches(taint));
    }

    private static Node after(TaintRun run) {
        return node("n1", run.taints().get("n1").toArray(Taint[]::new));
    }

    private static void forAll(Consumer<Case> law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Case c = new Case(seed);
            try {
                law.accept(c);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + c.node.taints(), e);
            }
        }
    }

    /** A Node, and words of commands that can be read; they may be refused on that Node. */
    private static final class Case {
        private static final List<String> KEYS = List.of("a", "b", "c");
        private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

        private final Random random;
        private final Node node;

        Case(long seed) {
            random = Cases.random(seed);
            Map<TaintId, Taint> taints = new LinkedHashMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                Taint taint = Taint.of(one(KEYS), one(List.of("", "0")), one(EFFECTS));
                taints.put(taint.id(), taint);
            }
            node = node("n1", taints.values().toArray(Taint[]::new));
        }

        /** At least one. */
        String additions() {
            Map<String, String> words = new LinkedHashMap<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                String effect = one(EFFECTS);
                String key = one(KEYS);
                words.put(key + effect, key + one(List.of("", "=", "=0", "=1")) + ":" + effect);
            }
            return String.join(" ", words.values());
        }

        /** Additions and removals that do not contradict each other, perhaps with --overwrite. */
        String words() {
            List<String> words = new ArrayList<>();
            String additions = random.nextBoolean() ? "" : additions();
            for (int i = additions.isEmpty() ? 1 : random.nextInt(3); i > 0; i--) {
                String key = one(KEYS);
                if (!(" " + additions).contains(" " + key)) {
                    words.add(random.nextBoolean() ? key + "-" : key + ":" + one(EFFECTS) + "-");
                }
            }
            words.add(additions);
            return String.join(" ", words).strip() + (random.nextBoolean() ? " --overwrite" : "");
        }

        private <T> T one(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }
    }
}
