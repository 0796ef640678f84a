package io.nodeward.core.rules.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What holds for the annotation of labels, whatever is declared and whatever users write. */
class CapacityLabelsLawsTest {
    private static final List<Pattern> ADDITIONAL = List.of(Pattern.compile("^team$"));
    private static final List<String> CARRIED = List.of("node-role.kubernetes.io/w", "node.cluster.x-k8s.io/z", "team");
    private static final List<String> OTHERS = List.of("other", "topology.kubernetes.io/zone", "bad key");
    private static final List<String> VALUES = List.of("", "1", "2", "bad value");
    private static final List<String> ODD = List.of("", "junk", "=", "=x", "team=1=2", " team=1");

    private Random random = new Random();

    @Test
    void what_is_written_reads_back_to_what_was_meant_and_is_written_once() {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            random = Cases.random(seed);
            try {
                check();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private void check() {
        Map<String, String> template = template();
        Map<String, String> users = new LinkedHashMap<>();
        Group before = group(users);

        CapacityPlan plan = CapacityLabels.plan(template, ADDITIONAL, before.annotations(), false);
        Group after = before.writtenLabels(plan);

        Map<String, String> expected = new LinkedHashMap<>(users);
        template.forEach((key, value) -> {
            if (CARRIED.contains(key) && !value.equals("bad value")) {
                expected.putIfAbsent(key, value);
            }
        });
        assertThat(AutoscalerReader.labels(text(after))).as("%s of %s: %s", template, before, plan)
                .isEqualTo(expected);
        assertThat(CapacityLabels.plan(template, ADDITIONAL, after.annotations(), false).isDue()).isFalse();
        Group left = after.writtenLabels(CapacityLabels.withdraw(after.annotations()));
        assertThat(AutoscalerReader.labels(text(left))).as("withdrawn from %s", after).isEqualTo(users);
        assertThat(left.annotations()).doesNotContainKey(CapacityAnnotations.LABELS_TRACKING);
    }

    private static String text(Group group) {
        return group.annotations().get(CapacityAnnotations.LABELS);
    }

    private Map<String, String> template() {
        Map<String, String> template = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            template.put(one(random.nextInt(3) > 0 ? CARRIED : OTHERS), one(VALUES));
        }
        return template;
    }

    /** @param users takes what in its text is readable and users' */
    private Group group(Map<String, String> users) {
        List<String> pieces = new ArrayList<>();
        Map<String, String> ours = new TreeMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            String key = one(random.nextInt(3) > 0 ? CARRIED : OTHERS);
            String value = one(VALUES);
            switch (random.nextInt(4)) {
                case 0 -> pieces.add(one(ODD));
                case 1 -> {
                    if (CARRIED.contains(key) && !value.equals("bad value")) {
                        ours.put(key, value);
                    }
                }
                default -> pieces.add(key + "=" + value);
            }
        }
        ours.forEach((key, value) -> pieces.add(random.nextInt(pieces.size() + 1), key + "=" + value));
        for (String piece : pieces) {
            int equals = piece.indexOf('=');
            if (equals >= 0 && !piece.substring(equals + 1).equals(ours.get(piece.substring(0, equals)))) {
                users.put(piece.substring(0, equals), piece.substring(equals + 1));
            }
        }
        Group group = pieces.isEmpty()
                ? Group.EMPTY
                : Group.EMPTY.put(CapacityAnnotations.LABELS, String.join(",", pieces));
        List<String> tracked = ours.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
        return tracked.isEmpty()
                ? group
                : group.put(CapacityAnnotations.LABELS_TRACKING, String.join(",", tracked));
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
