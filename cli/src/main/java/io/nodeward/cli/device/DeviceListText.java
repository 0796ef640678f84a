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
import java.util.stream.Collectors;

/** Devices for people: a line for each taint of each. */
public final class DeviceListText {
    private static final int SHOWN = 3;

    private DeviceListText() {}

    /** @param all whether all pods of a device are named, however many there are */
    public static String of(DeviceList list, Screen screen, boolean all) {
        if (list.rows().isEmpty()) {
            return screen.paragraph(list.published() == 0 ? "No ResourceSlice publishes a device."
                    : "None of " + Words.counted(list.published(), "device") + " is one that was asked for.",
                    Style.PLAIN);
        }
        Table table = new Table(0).head("NODE", "DEVICE", "DRIVER", "TAINT", "FROM", "USED BY");
        list.rows().forEach(row -> rows(table, row, list.unknownUse().isPresent() ? "?" : users(row.device(), all)));
        return table.text(screen);
    }

    /** Each in the form that is that of no other device. */
    public static String names(DeviceList list) {
        return Names.of(list.rows().stream().map(row -> row.device().name().toString()));
    }

    private static void rows(Table table, Row row, String users) {
        row.taints().forEach(taint -> table.row(device(row.device(), new Cell(taint.text(), style(taint)),
                Cell.of(taint.from()), Cell.of(users))));
        row.unknown().forEach(answer -> table.row(device(row.device(), new Cell("error", Style.BAD),
                Cell.of(answer.rule().toString()), Cell.of(users))));
        if (row.taints().isEmpty() && row.unknown().isEmpty()) {
            table.row(device(row.device(), Cell.of(""), Cell.of(""), Cell.of(users)));
        }
    }

    private static Cell[] device(Device device, Cell... more) {
        List<Cell> cells = new ArrayList<>(List.of(
                Cell.of(device.source().map(source -> source.reach().text()).orElse("")),
                Cell.of(device.name().pool() + "/" + device.name().device()), Cell.of(device.name().driver())));
        cells.addAll(List.of(more));
        return cells.toArray(Cell[]::new);
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
        return claim.key().namespace() + "/" + pod.name() + " (claim " + claim.key().name() + ")";
    }
}
