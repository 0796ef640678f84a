package io.nodeward.e2e.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.e2e.bench.Sample;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

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

    static Report.Earlier read(String json) throws JsonProcessingException {
        JsonNode root = MAPPER.readTree(json);
        Map<String, String> facts = new TreeMap<>();
        root.path("facts").properties().forEach(fact -> facts.put(fact.getKey(), fact.getValue().asText()));
        List<Sample> samples = new ArrayList<>();
        root.path("samples").forEach(sample -> samples.add(sample(sample)));
        return new Report.Earlier(samples, facts);
    }

    private static Sample sample(JsonNode node) {
        Map<String, Double> figures = new TreeMap<>();
        node.path("figures").properties().forEach(
                figure -> figures.put(figure.getKey(), figure.getValue().asDouble(Double.NaN)));
        Map<String, double[]> series = new TreeMap<>();
        node.path("series").properties().forEach(one -> series.put(one.getKey(),
                StreamSupport.stream(one.getValue().spliterator(), false)
                        .mapToDouble(value -> value.asDouble(Double.NaN)).toArray()));
        return new Sample(node.path("scenario").asText(), node.path("contender").asText(),
                node.path("pair").asInt(), figures, series);
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
