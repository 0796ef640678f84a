package io.nodeward.core.rules.capacity;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Users and declarations change in any order, with a plan carried out now and then. */
class CapacityHistoryTest {
    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute");
    private static final int STEPS = 40;
    private static final int HISTORIES = Cases.COUNT / 4;

    private final Map<String, MachineTaint> declared = new TreeMap<>();
    /** The text of what users wrote, by key and effect, or by itself if it cannot be read. */
    private final Map<String, String> users = new TreeMap<>();
    private Group group = Group.EMPTY;

    @Test
    void users_entries_stay_until_users_remove_them_and_ours_until_they_are_not_declared() {
        for (long seed = 0; seed < HISTORIES; seed++) {
            declared.clear();
            users.clear();
            group = Group.EMPTY;
            try {
                check(Cases.random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + group, e);
            }
        }
    }

    private void check(Random random) {
        for (int step = 0; step < STEPS; step++) {
            change(random);
            if (random.nextInt(3) > 0) {
                reconcile("step " + step);
            }
        }
        declared.clear();
        reconcile("the end");
        assertThat(pieces()).containsExactlyInAnyOrderElementsOf(users.values());
        assertThat(group.tracking()).isNull();
    }

    private void change(Random random) {
        String key = KEYS.get(random.nextInt(KEYS.size()));
        String effect = EFFECTS.get(random.nextInt(EFFECTS.size()));
        String id = key + ":" + effect;
        switch (random.nextInt(8)) {
            case 0, 1 -> declared.put(id, always(key, "d" + random.nextInt(2), effect));
            case 2 -> declared.remove(id);
            case 3 -> write(id, key + "=u" + random.nextInt(2) + ":" + effect);
            case 4 -> remove(id);
            case 5 -> {
                declared.remove(id); // one edit may take both away
                remove(id);
            }
            case 6 -> write("junk " + key, "junk " + key);
            default -> writeAsIfDeclared(id, key, effect);
        }
    }

    /** A user writes by hand the very words that Nodeward uses, while none of them is there. */
    private void writeAsIfDeclared(String id, String key, String effect) {
        reconcile("before a user writes " + id);
        if (!declared.containsKey(id) && !users.containsKey(id)) {
            write(id, key + "=d0:" + effect);
        }
    }

    private void write(String id, String piece) {
        List<String> pieces = pieces();
        pieces.removeIf(there -> isOf(id, there));
        pieces.add(piece);
        users.put(id, piece);
        group = group.edited(String.join(",", pieces));
    }

    /** Deletes by hand, whoever wrote it. */
    private void remove(String id) {
        List<String> pieces = pieces();
        if (pieces.removeIf(there -> isOf(id, there))) {
            users.remove(id);
            group = group.edited(String.join(",", pieces));
        }
    }

    private boolean isOf(String id, String piece) {
        return piece.equals(users.get(id)) || piece.replaceAll("=[^:]*", "").equals(id);
    }

    private List<String> pieces() {
        List<String> pieces = new ArrayList<>(List.of((group.text() == null ? "" : group.text()).split(",")));
        pieces.removeIf(String::isEmpty);
        return pieces;
    }

    private void reconcile(String when) {
        group = group.declaring(declared.values().toArray(MachineTaint[]::new));
        assertThat(pieces()).as(when).containsAll(users.values());
        declared.forEach((id, taint) -> assertThat(pieces()).as(when).contains(
                users.getOrDefault(id, taint.key() + "=" + taint.value() + ":" + taint.effect())));
    }
}
