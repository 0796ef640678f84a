package io.nodeward.core.rules.toleration;

import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which tolerations cover others, as the admission plugin PodTolerationRestriction sees it: not quite the same as
 * tolerating all that the other tolerates.
 */
public final class TolerationCover {
    private TolerationCover() {}

    /**
     * Whether the wide one makes the narrow one redundant. Lt and Gt cover only what is identical; a wide one with
     * {@code Equal} only covers a narrow one that says {@code Equal}, not one that leaves the operator out.
     */
    public static boolean covers(Toleration wide, Toleration narrow) {
        if (wide.equals(narrow)) {
            return true;
        }
        boolean anyKey = wide.key().isEmpty() && wide.operator().equals(Toleration.EXISTS);
        if (!anyKey && !wide.key().equals(narrow.key())) {
            return false;
        }
        if (!wide.effect().isEmpty() && !wide.effect().equals(narrow.effect())) {
            return false;
        }
        return lastsAsLong(wide, narrow) && coversValue(wide, narrow);
    }

    /** Both lists as one, without what another one covers; of equal ones the first stays. */
    public static List<Toleration> merge(List<Toleration> first, List<Toleration> second) {
        List<Toleration> all = new ArrayList<>(first);
        all.addAll(second);
        List<Toleration> merged = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Toleration one = all.get(i);
            List<Toleration> later = all.subList(i + 1, all.size());
            boolean redundant = merged.stream().anyMatch(kept -> covers(kept, one))
                    || later.stream().anyMatch(other -> !other.equals(one) && covers(other, one));
            if (!redundant) {
                merged.add(one);
            }
        }
        return List.copyOf(merged);
    }

    /** Those that nothing on the list covers; an empty list allows everything. */
    public static List<Toleration> refused(List<Toleration> tolerations, List<Toleration> allowed) {
        if (allowed.isEmpty()) {
            return List.of();
        }
        return tolerations.stream()
                .filter(one -> allowed.stream().noneMatch(wide -> covers(wide, one)))
                .toList();
    }

    private static boolean lastsAsLong(Toleration wide, Toleration narrow) {
        OptionalLong limit = wide.seconds();
        if (!wide.effect().equals("NoExecute") || limit.isEmpty()) {
            return true;
        }
        OptionalLong seconds = narrow.seconds();
        return seconds.isPresent() && seconds.getAsLong() <= limit.getAsLong();
    }

    private static boolean coversValue(Toleration wide, Toleration narrow) {
        return switch (wide.operator()) {
            case "", Toleration.EQUAL ->
                    narrow.operator().equals(Toleration.EQUAL) && narrow.value().equals(wide.value());
            case Toleration.EXISTS -> true;
            default -> false;
        };
    }
}
