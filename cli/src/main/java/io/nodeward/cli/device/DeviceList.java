package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.explain.NoSuchObjectException;
import io.nodeward.cli.explain.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Devices, what taints them and who uses them.
 *
 * @param rows those that were asked for
 * @param published how many there are in all
 * @param idle rules that select none of them, if all were asked for
 * @param unknownUse why it is not known who uses them, if it is not
 * @param warnings what is not known
 */
public record DeviceList(
        List<Row> rows, int published, List<Rule> idle, Optional<String> unknownUse, List<String> warnings) {
    private static final int SHOWN = 3;

    public DeviceList {
        rows = List.copyOf(rows);
        idle = List.copyOf(idle);
        warnings = List.copyOf(warnings);
    }

    /**
     * One device.
     *
     * @param unknown rules of which it is not known whether they select it
     */
    record Row(Device device, List<Tainted> taints, List<Answer> unknown) {
        private boolean isOf(String rule) {
            return Stream.concat(taints.stream().flatMap(taint -> taint.rule().stream()),
                    unknown.stream().map(Answer::rule)).anyMatch(known -> known.name().equals(rule));
        }
    }

    /**
     * Which devices are asked for: those of which all holds. What is empty holds of each.
     *
     * @param node that has the device, and no other Node
     * @param rule that selects it, or may select it
     * @param tainted whether it has a taint, or may have one
     */
    public record Filter(String node, String driver, String rule, boolean tainted) {
        private boolean isEmpty() {
            return node.isEmpty() && driver.isEmpty() && rule.isEmpty() && !tainted;
        }

        private boolean isOf(Device device) {
            return (node.isEmpty() || node.equals(device.node()))
                    && (driver.isEmpty() || driver.equals(device.name().driver()));
        }

        private boolean isOf(Row row) {
            return (rule.isEmpty() || row.isOf(rule)) && (!tainted || !row.taints.isEmpty() || !row.unknown.isEmpty());
        }
    }

    /** @throws NoSuchObjectException if there is no such rule */
    public static DeviceList of(ClusterDevices devices, Filter filter) throws NoSuchObjectException {
        List<Rule> rules = devices.rules();
        if (!filter.rule.isEmpty() && rules.stream().noneMatch(rule -> rule.name().equals(filter.rule))) {
            throw new NoSuchObjectException("there is no DeviceTaintRule " + filter.rule + "; " + names(
                    rules.stream().map(Rule::name).toList()));
        }
        List<Device> published = devices.published();
        List<Device> asked = published.stream().filter(filter::isOf).toList();
        Map<DeviceName, List<Answer>> answers = devices.answers(asked);
        List<Row> rows = asked.stream().map(device -> row(device, answers.getOrDefault(device.name(), List.of())))
                .filter(filter::isOf).toList();
        return new DeviceList(rows, published.size(), filter.isEmpty() ? idle(rules, answers) : List.of(),
                devices.unknownUse(), warnings(devices));
    }

    private static List<Rule> idle(List<Rule> rules, Map<DeviceName, List<Answer>> answers) {
        Set<Rule> asked =
                answers.values().stream().flatMap(List::stream).map(Answer::rule).collect(Collectors.toSet());
        return rules.stream().filter(rule -> !asked.contains(rule)).toList();
    }

    private static Row row(Device device, List<Answer> answers) {
        return new Row(device, device.tainted(answers), answers.stream().filter(Answer::isUnknown).toList());
    }

    private static List<String> warnings(ClusterDevices devices) {
        List<String> warnings = new ArrayList<>(devices.warnings());
        List<String> lost = devices.all().stream().filter(device -> device.source().isEmpty())
                .map(device -> device.name().toString()).sorted().toList();
        if (!lost.isEmpty()) {
            warnings.add("claims have " + Words.counted(lost.size(), "device") + " that no ResourceSlice publishes: "
                    + Words.some(lost, SHOWN));
        }
        return warnings;
    }

    private static String names(List<String> rules) {
        return rules.isEmpty() ? "there is none at all"
                : "there are: " + Words.some(rules, SHOWN);
    }
}
