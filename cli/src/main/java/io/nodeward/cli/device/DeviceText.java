package io.nodeward.cli.device;

import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Toleration;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.cli.device.PodUse.Fate;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Names;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A device's taints for people. */
public final class DeviceText {
    /** The most rules that are shown of those that name other devices: there may be thousands. */
    private static final int MOST = 10;
    /** The most characters that are shown of an expression. */
    private static final int LONGEST = 300;

    private final DeviceExplanation explained;
    private final Screen screen;
    private final boolean all;
    private final StringBuilder text = new StringBuilder();

    private DeviceText(DeviceExplanation explained, Screen screen, boolean all) {
        this.explained = explained;
        this.screen = screen;
        this.all = all;
    }

    /** @param all whether every rule has its line, and every expression its end */
    public static String of(DeviceExplanation explained, Screen screen, boolean all) {
        DeviceText view = new DeviceText(explained, screen, all);
        view.title();
        explained.taints().forEach(view::taint);
        if (explained.taints().isEmpty()) {
            view.paragraph("It has no taint.", Style.PLAIN);
        }
        view.rules();
        view.users();
        return view.text.toString();
    }

    /** The objects that bring its taints, as kubectl takes them. */
    public static String names(DeviceExplanation explained) {
        Stream<String> slice = explained.taints().stream().anyMatch(taint -> taint.rule().isEmpty())
                ? explained.device().source().stream().map(source -> "resourceslice/" + source.slice())
                : Stream.empty();
        return Names.of(Stream.concat(slice,
                explained.taints().stream().flatMap(taint -> taint.rule().stream()).map(Rule::resource).distinct()));
    }

    private void title() {
        Device device = explained.device();
        text.append(screen.paragraph("Device " + device.name() + device.source()
                .map(source -> source.reach().text().isEmpty() ? "" : source.reach().node().isEmpty()
                        ? ", on " + source.reach().text()
                        : ", on Node " + source.reach().node())
                .orElse(", which no ResourceSlice publishes"), Style.STRONG));
    }

    private void taint(Tainted taint) {
        paragraph(taint.text(), Style.STRONG);
        Table table = new Table(2);
        row(table, "from", taint.rule().map(rule -> rule + ": " + shown(rule.selection()))
                .orElseGet(() -> "driver, in ResourceSlice "
                        + explained.device().source().map(Device.Source::slice).orElse("")));
        Instant added = taint.taint().added();
        row(table, "since", added.equals(Instant.EPOCH) ? "not set" : added.toString());
        row(table, "effect", effect(taint));
        taint.rule().map(rule -> rule.spec().taint()).ifPresent(declared -> {
            optional(table, "description", declared.description());
            optional(table, "data", declared.data().shown());
        });
        text.append(table.text(screen));
    }

    private static String effect(Tainted taint) {
        return switch (taint.taint().effect()) {
            case "NoExecute" -> taint.rule().filter(rule -> !rule.isOfKubernetes())
                    .map(rule -> "Nodeward evicts pods whose claims do not tolerate it, one by one"
                            + budgets(rule.spec().eviction()))
                    .orElse("Kubernetes evicts pods whose claims do not tolerate it, all at once; Nodeward evicts"
                            + " nobody for it");
            case "NoSchedule" -> "Kubernetes does not give the device to claims that do not tolerate it; nobody evicts"
                    + " pods for it";
            case "None" -> taint.hasPreview()
                    ? "none: it shows what NoExecute would do"
                    : "none: it is information";
            default -> "none: nobody knows this effect";
        };
    }

    private static String budgets(EvictionMode eviction) {
        return eviction.respectsBudgets() ? ", as their PodDisruptionBudgets permit" + eviction.deadlineSeconds()
                .stream().mapToObj(seconds -> "; after " + seconds + "s it deletes those that are left").findFirst()
                .orElse("") : "";
    }

    private void rules() {
        if (explained.others().isEmpty()) {
            return;
        }
        List<Answer> naming = explained.others().stream().filter(DeviceExplanation::namesOthers).toList();
        paragraph("Rules that do not select it, or have no answer:", Style.STRONG);
        Table table = new Table(0).head("RULE", "BECAUSE");
        explained.others().stream().filter(answer -> !DeviceExplanation.namesOthers(answer))
                .forEach(answer -> rule(table, answer));
        naming.stream().limit(all ? naming.size() : MOST).forEach(answer -> rule(table, answer));
        text.append(table.text(screen));
        if (!all && naming.size() > MOST) {
            text.append(screen.paragraph("and " + (naming.size() - MOST)
                    + " more that are for other devices; -o wide lists them", Style.FAINT));
        }
    }

    private void rule(Table table, Answer answer) {
        table.row(Cell.of(answer.rule().toString()),
                new Cell(shown(answer.because()),
                        answer.isUnknown() || answer.rule().isInvalid() ? Style.BAD : Style.PLAIN));
    }

    private String shown(String because) {
        return all || because.codePointCount(0, because.length()) <= LONGEST
                ? because
                : because.substring(0, because.offsetByCodePoints(0, LONGEST)) + "...";
    }

    private void users() {
        if (explained.unknownUse().isPresent()) {
            paragraph("It is not known who uses it.", Style.DOUBTFUL);
            return;
        }
        List<ResourceClaim> claims = explained.device().claims();
        if (claims.isEmpty()) {
            paragraph("No claim has it.", Style.PLAIN);
            return;
        }
        String names = claims.stream().map(claim -> claim.key().toString()).collect(Collectors.joining(", "));
        paragraph((claims.size() == 1 ? "Claim " + names + " has it" : "Claims " + names + " have it")
                + (explained.uses().isEmpty() ? ", for no pod" + ofGroups(claims) + "." : ", for these pods:"),
                Style.STRONG);
        if (!explained.uses().isEmpty()) {
            pods();
        }
    }

    private static String ofGroups(List<ResourceClaim> claims) {
        String groups = claims.stream()
                .flatMap(claim -> claim.podGroups().stream().map(group -> claim.key().namespace() + "/" + group))
                .distinct().sorted().collect(Collectors.joining(", "));
        return groups.isEmpty() ? "" : " that is known of PodGroup " + groups;
    }

    private void pods() {
        Table table = new Table(0).head("POD", "CLAIM", "TAINT", "EVICTED", "TOLERATED");
        explained.uses().forEach(use -> pod(table, use));
        text.append(table.text(screen));
        if (explained.uses().stream().anyMatch(use -> !use.fates().isEmpty())) {
            text.append(screen.paragraph("Counted from when the taint was added. A taint of a rule of Nodeward counts"
                    + " as if its effect were NoExecute.", Style.FAINT));
        }
    }

    private static void pod(Table table, PodUse use) {
        Cell pod = Cell.of(use.pod().toString());
        Cell claim = Cell.of(use.claim().name());
        if (use.fates().isEmpty()) {
            table.row(pod, claim, Cell.of(""), Cell.of("never"),
                    Cell.of(use.standing().mayBeEvicted() ? "no taint evicts" : use.standing().words));
        }
        use.fates().forEach(fate -> table.row(pod, claim, Cell.of(fate.taint().text()),
                new Cell(when(fate), fate.seconds().isEmpty() ? Style.GOOD : Style.BAD), Cell.of(tolerated(fate))));
    }

    private static String when(Fate fate) {
        return fate.seconds().isEmpty() ? "never"
                : fate.seconds().getAsLong() == 0 ? "at once" : "after " + fate.seconds().getAsLong() + "s";
    }

    private static String tolerated(Fate fate) {
        return fate.toleration().map(toleration -> (toleration.seconds().isEmpty()
                ? "for ever"
                : "for " + toleration.seconds().getAsLong() + "s") + ": " + text(toleration))
                .or(() -> fate.ignored().map(toleration -> "no: Kubernetes ignores " + text(toleration)
                        + " when it evicts"))
                .orElse("no");
    }

    /** A toleration in a few words. */
    static String text(Toleration toleration) {
        String key = toleration.key().isEmpty() ? "any key" : toleration.key();
        String value = toleration.operator().equals(Toleration.EXISTS) ? "" : "=" + toleration.value();
        return key + value + ":" + (toleration.effect().isEmpty() ? "any effect" : toleration.effect());
    }

    private static void optional(Table table, String name, String value) {
        if (!value.isEmpty()) {
            row(table, name, value);
        }
    }

    private static void row(Table table, String name, String value) {
        table.row(new Cell(name, Style.FAINT), Cell.of(value));
    }

    private void paragraph(String line, Style style) {
        text.append('\n').append(screen.paragraph(line, style));
    }
}
