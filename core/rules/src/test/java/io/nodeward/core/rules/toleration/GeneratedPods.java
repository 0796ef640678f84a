package io.nodeward.core.rules.toleration;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/** Taints and tolerations drawn from small sets, so that they meet often; good and bad texts alike. */
final class GeneratedPods {
    private static final List<String> KEYS = List.of("a", "b", "c", "example.com/gpu");
    private static final List<String> VALUES = List.of("", "1", "2", "x", "-7", "007");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute", "NoAdmit");
    private static final List<String> OPERATORS = List.of(
            "", Toleration.EQUAL, Toleration.EXISTS, Toleration.EXISTS, Toleration.LESS, Toleration.GREATER, "In");

    private final Random random;

    GeneratedPods(long seed) {
        random = Cases.random(seed);
    }

    List<Taint> taints() {
        Map<TaintId, Taint> taints = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            Taint taint = taint();
            taints.put(taint.id(), taint);
        }
        return List.copyOf(taints.values());
    }

    Taint taint() {
        return Taint.of(one(KEYS), one(VALUES), one(EFFECTS));
    }

    List<Toleration> tolerations() {
        List<Toleration> tolerations = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            tolerations.add(toleration());
        }
        return tolerations;
    }

    Toleration toleration() {
        OptionalLong seconds =
                random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(4) * 10L - 10) : OptionalLong.empty();
        return new Toleration(random.nextInt(4) == 0 ? "" : one(KEYS), one(OPERATORS), one(VALUES),
                random.nextInt(3) == 0 ? "" : one(EFFECTS), seconds);
    }

    Tolerance tolerance() {
        return new Tolerance(random.nextBoolean());
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
