package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.Sample;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All samples of a run, found by scenario and contender. */
final class Samples {
    /** In the order of a table; others follow. */
    private static final List<String> CONTENDERS = List.of("ideal", "triggers-alone", "patches-alone",
            "nodeward-fabric8", "nodeward-official", "upstream-off+nodeward-official", "upstream-raised", "upstream");

    private final List<Sample> all;

    Samples(List<Sample> all) {
        this.all = List.copyOf(all);
    }

    /** In the order they ran. */
    List<String> scenarios() {
        return all.stream().map(Sample::scenario).distinct().toList();
    }

    List<String> contenders(String scenario) {
        return of(scenario).map(Sample::contender).distinct().sorted(Comparator.comparingInt(this::place)).toList();
    }

    private int place(String contender) {
        int place = CONTENDERS.indexOf(contender);
        return place < 0 ? CONTENDERS.size() : place;
    }

    List<String> figures(String scenario) {
        return of(scenario).flatMap(sample -> sample.figures().keySet().stream()).distinct().toList();
    }

    private Stream<Sample> of(String scenario) {
        return all.stream().filter(sample -> sample.scenario().equals(scenario));
    }

    private Stream<Sample> of(String scenario, String contender) {
        return of(scenario).filter(sample -> sample.contender().equals(contender));
    }

    /** By number of the pair; runs that do not have this figure are left out. */
    Map<Integer, Double> byPair(String scenario, String contender, String figure) {
        Map<Integer, Double> values = new TreeMap<>();
        of(scenario, contender).forEach(sample -> Optional.ofNullable(sample.figures().get(figure))
                .ifPresent(value -> values.put(sample.pair(), value)));
        return values;
    }

    /** How many pairs there were, whoever took part. */
    int pairs(String scenario) {
        return (int) of(scenario).mapToInt(Sample::pair).distinct().count();
    }

    /** How many Nodes each run says there were; 0 where it does not. */
    DoubleStream fleets(String scenario) {
        return of(scenario).mapToDouble(sample -> sample.figures().getOrDefault("fleet", 0.0));
    }

    int runs(String scenario, String contender) {
        return (int) of(scenario, contender).count();
    }

    /** A series of the run that is in the middle by the last value of it, for plots; empty if no run has one. */
    double[] middle(String scenario, String contender, String series) {
        List<double[]> runs = of(scenario, contender).map(sample -> sample.series().get(series))
                .filter(Objects::nonNull)
                .filter(values -> values.length > 0)
                .sorted(Comparator.comparingDouble(values -> Arrays.stream(values).max().orElseThrow()))
                .toList();
        return runs.isEmpty() ? new double[0] : runs.get((runs.size() - 1) / 2);
    }
}
