package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.TaintPlace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a control plane provider takes taints for its Machines, by Cluster API's contract. The field is optional there:
 * a provider without it gets none, and writing it would be lost without a word.
 */
public final class ControlPlaneContract {
    private static final Pattern VERSION = Pattern.compile("v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?");
    private static final List<Contract> NEWEST_FIRST = List.of(
            new Contract("cluster.x-k8s.io/v1beta2", TaintPlace.CONTROL_PLANE),
            new Contract("cluster.x-k8s.io/v1beta1", TaintPlace.CONTROL_PLANE_V1BETA1));

    private ControlPlaneContract() {}

    private record Contract(String label, TaintPlace place) {}

    /**
     * A version of the provider's kind, and where it has the list.
     *
     * @param version as in {@code /apis/GROUP/VERSION}
     */
    public record Found(String version, TaintPlace place) {}

    /**
     * What is to be written; empty if the provider does not have the field.
     *
     * @param labels of the provider's CRD: the newest contract it names counts, and of its versions the newest
     * @param declares whether the schema of a version has the list in a place
     */
    public static Optional<Found> find(Map<String, String> labels, BiPredicate<String, TaintPlace> declares) {
        for (Contract contract : NEWEST_FIRST) {
            Optional<String> version = newest(labels.getOrDefault(contract.label, ""));
            if (version.isPresent()) {
                return version.filter(v -> declares.test(v, contract.place)).map(v -> new Found(v, contract.place));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> newest(String versions) {
        return Arrays.stream(versions.split("_")).filter(v -> !v.isEmpty()).max(Comparator.comparing(Age::of));
    }

    /** As Kubernetes orders versions: those of no such form are the oldest, then alpha, beta and general ones. */
    private record Age(int stage, int major, int minor, String text) implements Comparable<Age> {
        private static final Comparator<Age> ORDER = Comparator.comparingInt(Age::stage)
                .thenComparingInt(Age::major)
                .thenComparingInt(Age::minor)
                .thenComparing(Age::text, Comparator.reverseOrder());

        static Age of(String version) {
            Matcher m = VERSION.matcher(version);
            if (!m.matches()) {
                return new Age(0, 0, 0, version);
            }
            String stage = m.group(2);
            if (stage == null) {
                return new Age(3, Integer.parseInt(m.group(1)), 0, version);
            }
            return new Age(stage.equals("alpha") ? 1 : 2, Integer.parseInt(m.group(1)), Integer.parseInt(m.group(3)),
                    version);
        }

        @Override
        public int compareTo(Age other) {
            return ORDER.compare(this, other);
        }
    }
}
