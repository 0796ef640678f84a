package io.nodeward.core.rules.command;

import static io.nodeward.core.rules.command.Commands.command;
import static io.nodeward.core.rules.command.Commands.taint;
import static io.nodeward.core.rules.command.Commands.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LenientEditTest {
    private static final Lenience ENSURE = new Lenience(true, false, false);
    private static final Lenience ABSENT = new Lenience(false, true, false);
    private static final Lenience REPLACE = new Lenience(false, false, true);

    private static List<Taint> taints(String texts) {
        return texts.isBlank() ? List.of() : Arrays.stream(texts.strip().split(" +")).map(Commands::taint).toList();
    }

    private static Lenience lenience(String name) {
        return switch (name) {
            case "ensure" -> ENSURE;
            case "absent" -> ABSENT;
            default -> REPLACE;
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            // how | before | command | after | word
            "ensure | ~~ | a=1:NoSchedule | a=1:NoSchedule | tainted",
            "ensure | b:NoExecute a=1:NoSchedule | a=1:NoSchedule | b:NoExecute a=1:NoSchedule | unchanged",
            "ensure | b:NoExecute a=1:NoSchedule | a=2:NoSchedule | b:NoExecute a=2:NoSchedule | modified",
            "ensure | b:NoExecute | a- | b:NoExecute | unchanged",
            "ensure | a:NoExecute b:NoExecute | a- c- | b:NoExecute | untainted",
            "ensure | a:NoExecute | b:NoSchedule a- | b:NoSchedule | modified",
            "ensure | a:NoExecute | a:NoSchedule | a:NoSchedule a:NoExecute | tainted",
            "absent | ~~ | a- | ~~ | unchanged",
            "absent | a:NoSchedule a:NoExecute b:NoExecute | a- c:NoExecute- | b:NoExecute | untainted",
            "absent | ~~ | a:NoSchedule b- | a:NoSchedule | tainted",
            "replace | a=1:NoSchedule a=1:NoExecute b:NoExecute | a=2:NoExecute | a=2:NoExecute b:NoExecute | modified",
            "replace | a=1:NoSchedule b:NoExecute | a=1:NoExecute | a=1:NoExecute b:NoExecute | modified",
            "replace | a=1:NoExecute b:NoExecute | a=1:NoExecute | a=1:NoExecute b:NoExecute | unchanged",
            "replace | b:NoExecute | a=1:NoExecute | a=1:NoExecute b:NoExecute | tainted"
    })
    void it_becomes_as_said_whatever_is_there(String how, String before, String words, String after, String word) {
        TaintEdit edit = command("nodes n1 " + words).edit("n1", taints(before), lenience(how));

        assertThat(texts(edit.taints())).isEqualTo(after);
        assertThat(edit.operation().text()).isEqualTo(word);
    }

    @Test
    void what_is_not_lenient_is_refused_in_kubectls_words() {
        assertThatThrownBy(() -> command("nodes n1 a:NoSchedule").edit("n1", taints("a:NoSchedule"), ABSENT))
                .hasMessageContaining("already has a taint(s)");
        assertThatThrownBy(() -> command("nodes n1 b- a:NoSchedule").edit("n1", taints("a:NoExecute"), REPLACE))
                .hasMessage("error: taint \"b\" not found");
    }

    @Test
    void one_with_the_same_value_keeps_its_element() {
        Taint old = new Taint("a", "1", "NoExecute",
                "{\"key\":\"a\",\"value\":\"1\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}");

        assertThat(command("nodes n1 a=1:NoExecute").edit("n1", List.of(old), ENSURE).taints()).containsExactly(old);
        assertThat(command("nodes n1 a=2:NoExecute").edit("n1", List.of(old), ENSURE).taints())
                .containsExactly(taint("a=2:NoExecute"));
    }

    @Test
    void twice_is_once_and_it_bears_what_kubectl_would_have_made() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            List<Taint> before = some(random);
            List<Taint> given = some(random);
            if (given.isEmpty()) {
                continue;
            }
            TaintCommand command = command("nodes n1 --overwrite " + texts(given));
            TaintEdit once = command.edit("n1", before, ENSURE);
            assertThat(command.edit("n1", once.taints(), ENSURE))
                    .as("seed " + seed)
                    .isEqualTo(new TaintEdit(TaintEdit.Operation.UNCHANGED, once.taints()));
            assertThat(once.taints()).as("seed " + seed)
                    .containsExactlyInAnyOrderElementsOf(command.edit("n1", before).taints());
        }
    }

    private static List<Taint> some(Random random) {
        List<Taint> taints = new ArrayList<>();
        for (String id : List.of("a%s:NoSchedule", "a%s:NoExecute", "b%s:NoSchedule", "c%s:PreferNoSchedule")) {
            if (random.nextBoolean()) {
                taints.add(taint(id.formatted(random.nextBoolean() ? "" : "=" + random.nextInt(2))));
            }
        }
        java.util.Collections.shuffle(taints, random);
        return taints;
    }
}
