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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Devices for people: a line for each taint of each. */
public final class DeviceListText {
    private static final int SHOWN = 3;
    private static final Cell NOTHING = Cell.of("");

    private DeviceListText() {}

    /** @param all whether each line names its device, and all pods of it, however many there are */
    public static String of(DeviceList list, Screen screen, boolean all) {
        if (list.rows().isEmpty()) {
            return screen.paragraph(list.published() == 0 ? "No ResourceSlice publishes a device."
                    : "None of " + Words.counted(list.published(), "device") + " is one that was asked for.",
                    Style.PLAIN);
        }
        Table table = new Table(0).head("NODE", "DEVICE", "TAINT", "FROM", "USED BY");
        list.rows()
                .forEach(row -> rows(table, row, list.unknownUse().isPresent() ? "?" : users(row.device(), all), all));
        return table.text(screen);
    }

    /** Each in the form that is that of no other device. */
    public static String names(DeviceList list) {
        return Names.of(list.rows().stream().map(row -> row.device().name().toString()));
    }

    private static void rows(Table table, Row row, String users, boolean all) {
        List<Cell[]> taints = new ArrayList<>();
        row.taints().forEach(taint -> taints.add(
                new Cell[]{new Cell(taint.text(), style(taint)), Cell.of(from(taint.rule()))}));
        row.unknown().forEach(answer -> taints.add(
                new Cell[]{new Cell("error", Style.BAD), Cell.of(from(Optional.of(answer.rule())))}));
        if (taints.isEmpty()) {
            taints.add(new Cell[]{NOTHING, NOTHING});
        }
        Device device = row.device();
        for (int i = 0; i < taints.size(); i++) {
            boolean named = i == 0 || all; // a program may look at one line
            table.row(cell(named, device.source().map(source -> source.reach().text()).orElse("")),
                    cell(named, device.name().toString()), taints.get(i)[0], taints.get(i)[1], cell(named, users));
        }
    }

    private static Cell cell(boolean shown, String text) {
        return shown ? Cell.of(text) : NOTHING;
    }

    private static String from(Optional<Rule> rule) {
        return rule.map(known -> (known.isOfKubernetes() ? known.group() + " rule " : "rule ") + known.name())
                .orElse("driver");
    }

    static Style style(Tainted taint) {
        return switch (taint.taint().effect()) {
            case "NoExecute" -> Style.BAD;
            case "NoSchedule" -> Style.DOUBTFUL;
            default -> Style.PLAIN;
        };
    }

    private static String users(Device device, boolean all) {
        List<String> users = device.claims().stream().flatMap(claim -> claim.reservedFor().isEmpty()
                ? List.of("claim " + claim.key()).stream()
                : claim.reservedFor().stream().map(pod -> user(claim, pod))).sorted().toList();
        return all || users.size() <= SHOWN
                ? String.join(", ", users)
                : users.stream().limit(SHOWN).collect(Collectors.joining(", ")) + " and " + (users.size() - SHOWN)
                        + " more";
    }

    private static String user(ResourceClaim claim, ResourceClaim.PodReference pod) {
        return claim.key().namespace() + "/" + pod.name() + " (" + claim.key().name() + ")";
    }
}
