package io.nodeward.e2e.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.e2e.bench.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All that was measured, one sample a line; series, which are long, to five digits. A figure that is no number is null. */
final class ResultsJson {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final MathContext FIVE_DIGITS = new MathContext(5, RoundingMode.HALF_EVEN);

    private ResultsJson() {}

    static String of(List<Sample> samples, Map<String, String> facts) {
        try {
            String head = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(new TreeMap<>(facts));
            StringBuilder lines = new StringBuilder("{\"facts\": " + head + ",\n\"samples\": [");
            for (int i = 0; i < samples.size(); i++) {
                lines.append(i == 0 ? "\n" : ",\n").append(MAPPER.writeValueAsString(shown(samples.get(i))));
            }
            return lines.append("\n]}\n").toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a sample has no JSON form", e);
        }
    }

    private static Map<String, Object> shown(Sample sample) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("scenario", sample.scenario());
        shown.put("contender", sample.contender());
        shown.put("pair", sample.pair());
        Map<String, Object> figures = new LinkedHashMap<>();
        sample.figures().forEach((name, value) -> figures.put(name, Double.isFinite(value) ? value : null));
        shown.put("figures", figures);
        shown.put("series", sample.series().entrySet().stream().collect(
                Collectors.toMap(Map.Entry::getKey, e -> rounded(e.getValue()), (a, b) -> a, TreeMap::new)));
        return shown;
    }

    private static double[] rounded(double[] values) {
        return Arrays.stream(values)
                .map(value -> Double.isFinite(value) ? new BigDecimal(value).round(FIVE_DIGITS).doubleValue() : value)
                .toArray();
    }
}
