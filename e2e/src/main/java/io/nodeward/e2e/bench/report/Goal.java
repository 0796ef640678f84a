package io.nodeward.e2e.bench.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What is to be reached.
 *
 * @param text what, with the limit
 * @param backend whose turn it is
 * @param measures each must keep the limit
 */
record Goal(String text, String backend, List<Measure> measures, Bound bound, double limit) {
    /** How much there is of it in a whole run is in its name, or it needs no fleet: others say it in each sample. */
    private static final Pattern SAYS_SIZE = Pattern.compile(".*-\\d+|micro");
    /** What the goals are about, in Nodes. */
    private static final double FLEET = 2000;

    /** What has to be on which side of the limit. */
    enum Bound {
        /** The median, at most. */
        AT_MOST,
        /** The median, at least. */
        AT_LEAST,
        /** The worst of all runs: counts do not vary by luck. */
        ALWAYS_AT_MOST,
        /** Each run: fewer would be work left undone. */
        ALWAYS_EXACTLY
    }

    /** What became of it. */
    enum Verdict {
        MET("met"),
        MISSED("missed"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** @param spreads of each measure, in order */
    record Outcome(Goal goal, Verdict verdict, List<Spread> spreads) {
        /** The figures, each with its number of pairs, and of several each with its scenario. */
        List<String> figures() {
            return IntStream.range(0, spreads.size()).mapToObj(this::figure).toList();
        }

        private String figure(int place) {
            Spread spread = spreads.get(place);
            String scenario = spreads.size() == 1 ? "" : goal.measures().get(place).scenario() + " ";
            return scenario + spread.text() + (spread.isKnown() ? ", " + Digits.pairs(spread.count()) : "");
        }
    }

    Goal {
        measures = List.copyOf(measures);
    }

    Outcome judge(Samples samples) {
        List<Spread> spreads = measures.stream().map(measure -> spread(measure, samples)).toList();
        if (spreads.stream().anyMatch(spread -> spread.isKnown() && !keeps(spread))) {
            return new Outcome(this, Verdict.MISSED, spreads);
        }
        boolean all = !spreads.isEmpty()
                && IntStream.range(0, spreads.size()).allMatch(i -> isWhole(measures.get(i), spreads.get(i), samples));
        return new Outcome(this, all ? Verdict.MET : Verdict.NOT_MEASURED, spreads);
    }

    /** Unknown if it was found on a fleet that the goals are not about. */
    private static Spread spread(Measure measure, Samples samples) {
        boolean saysSize = SAYS_SIZE.matcher(measure.scenario()).matches();
        boolean whole = saysSize || samples.fleets(measure.scenario()).allMatch(nodes -> nodes == FLEET);
        return Spread.of(whole ? measure.byPair().apply(samples).values() : List.of());
    }

    /** Pairs in which it is missing may have been its worst. */
    private static boolean isWhole(Measure measure, Spread spread, Samples samples) {
        return spread.isKnown() && spread.count() == samples.pairs(measure.scenario());
    }

    private boolean keeps(Spread spread) {
        return switch (bound) {
            case AT_MOST -> spread.median() <= limit;
            case AT_LEAST -> spread.median() >= limit;
            case ALWAYS_AT_MOST -> spread.max() <= limit;
            case ALWAYS_EXACTLY -> spread.min() == limit && spread.max() == limit;
        };
    }
}
