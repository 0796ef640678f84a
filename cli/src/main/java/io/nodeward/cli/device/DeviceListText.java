package io.nodeward.cli.device;

import io.nodeward.api.device.ResourceClaim;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.device.DeviceList.Row;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Names;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Devices for people: a line for each taint of each. */
public final class DeviceListText {
    private static final int SHOWN = 3;
    private static final int IDLE_SHOWN = 10;
    private static final Cell NOTHING = Cell.of("");

    private DeviceListText() {}

    /** For a terminal: a device is named once, and of many pods the first. */
    public static String of(DeviceList list, Screen screen) {
        return text(list, screen, Optional.empty());
    }

    /** Each line names its device, its age, what its owner says of it and all pods, so that a program may look at one line. */
    public static String wide(DeviceList list, Screen screen, Instant now) {
        return text(list, screen, Optional.of(now));
    }

    private static String text(DeviceList list, Screen screen, Optional<Instant> wide) {
        return devices(list, screen, wide) + (list.idle().isEmpty() ? ""
                : screen.paragraph("Rules that select no published device: "
                        + Words.some(list.idle().stream().map(rule -> name(rule)).toList(),
                                wide.isPresent() ? list.idle().size() : IDLE_SHOWN),
                        Style.PLAIN));
    }

    private static String devices(DeviceList list, Screen screen, Optional<Instant> wide) {
        if (list.rows().isEmpty()) {
            return screen.paragraph(list.published() == 0 ? "No ResourceSlice publishes a device."
                    : "None of " + Words.counted(list.published(), "device") + " is one that was asked for.",
                    Style.PLAIN);
        }
        Table table = wide.isPresent()
                ? new Table(0).head("NODE", "DEVICE", "TAINT", "FROM", "BY", "AGE", "DESCRIPTION", "USED BY")
                : new Table(0).head("NODE", "DEVICE", "TAINT", "FROM", "USED BY");
        list.rows().forEach(row -> rows(table, row,
                list.unknownUse().isPresent() ? "?" : users(row.device(), wide.isPresent()), wide));
        return table.text(screen);
    }

    /** Each in the form that is that of no other device. */
    public static String names(DeviceList list) {
        return Names.of(list.rows().stream().map(row -> row.device().name().toString()));
    }

    private static void rows(Table table, Row row, String users, Optional<Instant> wide) {
        List<Cell[]> taints = new ArrayList<>();
        row.taints().forEach(taint -> taints.add(
                taint(new Cell(taint.text(), style(taint)), taint.rule(), taint.since(), wide)));
        row.unknown().forEach(answer -> taints.add(taint(new Cell("error", Style.BAD), Optional.of(answer.rule()),
                answer.rule().since(), wide)));
        if (taints.isEmpty()) {
            taints.add(Stream.generate(() -> NOTHING).limit(wide.isPresent() ? 5 : 2).toArray(Cell[]::new));
        }
        Device device = row.device();
        for (int i = 0; i < taints.size(); i++) {
            boolean named = i == 0 || wide.isPresent(); // a program may look at one line
            List<Cell> cells = new ArrayList<>();
            cells.add(cell(named, device.source().map(source -> source.reach().text()).orElse("")));
            cells.add(cell(named, device.name().toString()));
            cells.addAll(List.of(taints.get(i)));
            cells.add(cell(named, users));
            table.row(cells.toArray(Cell[]::new));
        }
    }

    private static Cell[] taint(Cell taint, Optional<Rule> rule, Optional<Instant> since, Optional<Instant> wide) {
        return wide.isEmpty() ? new Cell[]{taint, Cell.of(from(rule))}
                : new Cell[]{taint, Cell.of(from(rule)), Cell.of(rule.flatMap(Rule::author).orElse("")),
                        age(since, wide), Cell.of(rule.map(known -> known.spec().taint().words()).orElse(""))};
    }

    private static Cell age(Optional<Instant> since, Optional<Instant> now) {
        return since.flatMap(from -> now.map(to -> Cell.of(Age.between(from, to)))).orElse(NOTHING);
    }

    private static Cell cell(boolean shown, String text) {
        return shown ? Cell.of(text) : NOTHING;
    }

    private static String from(Optional<Rule> rule) {
        return rule.map(known -> (known.isListed() ? "taint slice "
                : known.isOfKubernetes() ? known.group() + " rule " : "rule ") + known.name())
                .orElse("driver");
    }

    private static String name(Rule rule) {
        return (rule.isOfKubernetes() ? rule.group() + "/" : "") + rule.name() + rule.listedDevice()
                .map(device -> " (" + device + ")").orElse("");
    }

    static Style style(Tainted taint) {
        return switch (taint.taint().effect()) {
            case "NoExecute" -> Style.BAD;
            case "NoSchedule" -> Style.DOUBTFUL;
            default -> Style.PLAIN;
        };
    }

    private static String users(Device device, boolean all) {
        List<String> users = device.claims().stream().flatMap(claim -> claim.consumers().isEmpty()
                ? Stream.of("claim " + claim.key())
                : Stream.concat(claim.reservedFor().stream().map(pod -> user(claim, pod.name())),
                        claim.podGroups().stream().map(group -> "PodGroup " + user(claim, group))))
                .sorted().toList();
        return Words.some(users, all ? users.size() : SHOWN);
    }

    private static String user(ResourceClaim claim, String name) {
        return claim.key().namespace() + "/" + name + " (" + claim.key().name() + ")";
    }
}
