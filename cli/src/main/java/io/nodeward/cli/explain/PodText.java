package io.nodeward.cli.explain;

import io.nodeward.cli.explain.PodExplanation.Answer;
import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Names;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import io.nodeward.core.rules.dedicated.PodGroup;
import io.nodeward.core.rules.placement.Threat;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A pod's prospects for people. */
public final class PodText {
    static final String NOT_LOOKED_AT = "Not looked at: ports, resources, volumes, topology spread, affinity to pods,"
            + " claims of devices.";
    /** More Nodes than this are grouped by what they have in common. */
    private static final int MOST = 40;
    private static final int NAMED = 3;

    private PodText() {}

    /** @param all whether every Node has its line, however many there are */
    public static String of(PodExplanation pod, Screen screen, boolean all) {
        StringBuilder text = new StringBuilder();
        text.append(screen.paragraph("Pod " + pod.pod().key() + pod.on().map(node -> " is on Node " + node)
                .orElse(" is on no Node yet"), Style.STRONG));
        threats(text, pod, screen);
        groups(text, pod, screen);
        text.append('\n').append(screen.paragraph(heading(pod), Style.STRONG));
        Table table = new Table(0).head("NODE", "FILTERED OUT BY", "BECAUSE");
        rows(pod, all).forEach((names, answer) -> row(table, names, answer));
        return text.append(pod.nodes().isEmpty() ? "" : table.text(screen))
                .append('\n').append(screen.paragraph(NOT_LOOKED_AT, Style.FAINT)).toString();
    }

    /** The Nodes that it is schedulable on, as kubectl takes them. */
    public static String names(PodExplanation pod) {
        return Names.of(pod.nodes().stream().filter(answer -> answer.filteredOut().isEmpty())
                .map(answer -> "node/" + answer.node()));
    }

    private static String heading(PodExplanation pod) {
        return "It is schedulable on " + pod.schedulable() + " of " + Words.counted(pod.nodes().size(), "Node")
                + (pod.on().isPresent() ? " if it is scheduled again" : "");
    }

    private static void groups(StringBuilder text, PodExplanation pod, Screen screen) {
        if (pod.groups().isEmpty()) {
            return;
        }
        Table table = new Table(0).head("DEDICATEDNODES", "ENFORCEMENT", "THE POD", "BECAUSE");
        pod.groups().forEach(of -> table.row(Cell.of(of.group().name()), Cell.of(enforcement(of)),
                new Cell(relation(of), of.relation() == PodGroup.Relation.NO_MEMBER ? Style.PLAIN : Style.GOOD),
                Cell.of(of.because())));
        text.append('\n').append(table.text(screen));
    }

    private static String enforcement(PodGroup of) {
        return of.enforcement() + switch (of.state()) {
            case IN_FORCE -> "";
            case WAITS -> ", waits";
            case CONFLICT -> ", conflict";
        };
    }

    private static String relation(PodGroup of) {
        return switch (of.relation()) {
            case MEMBER -> "is a member";
            case MAY_BE_MEMBER -> "may be a member";
            case NO_MEMBER -> "is no member";
        };
    }

    private static void threats(StringBuilder text, PodExplanation pod, Screen screen) {
        if (pod.on().isEmpty()) {
            return;
        }
        if (pod.pod().isMirror()) {
            text.append(
                    screen.paragraph("It shows a static pod: its kubelet keeps it running whatever taints there are.",
                            Style.PLAIN));
            return;
        }
        if (pod.threats().isEmpty()) {
            text.append(screen.paragraph("What may evict it cannot be told: its Node is not known here.",
                    Style.DOUBTFUL));
            return;
        }
        Table table = new Table(0).head("EVICTED", "BECAUSE OF", "TOLERATED", "THE TAINT");
        pod.threats().forEach(threat -> table.row(
                new Cell(Words.when(threat.eviction()), threat.there() ? style(threat.eviction()) : Style.PLAIN),
                Cell.of(NodeFit.text(threat.taint())), Cell.of(tolerated(threat)),
                Cell.of(threat.there() ? "is there" : threat.isFailure() ? "comes if the Node fails"
                        : "comes with the next write")));
        text.append(table.text(screen)).append(screen.paragraph(
                "Counted from when the taint eviction controller sees pod and taint together.", Style.FAINT));
    }

    private static Style style(Eviction eviction) {
        return eviction instanceof Eviction.Never ? Style.GOOD : Style.BAD;
    }

    private static String tolerated(Threat threat) {
        return threat.toleration()
                .map(toleration -> toleration.seconds().isPresent()
                        ? "for " + toleration.seconds().getAsLong() + "s"
                        : "for ever")
                .orElse("no");
    }

    private static Map<String, Answer> rows(PodExplanation pod, boolean all) {
        Map<String, Answer> rows = new LinkedHashMap<>();
        if (all || pod.nodes().size() <= MOST) {
            pod.nodes().forEach(answer -> rows.put(answer.node(), answer));
            return rows;
        }
        Map<String, List<Answer>> alike = pod.nodes().stream().collect(Collectors.groupingBy(
                PodText::because, LinkedHashMap::new, Collectors.toList()));
        alike.values().forEach(answers -> rows.put(names(answers), answers.get(0)));
        return rows;
    }

    private static String names(List<Answer> answers) {
        return Words.some(answers.stream().map(Answer::node).toList(), NAMED);
    }

    private static void row(Table table, String names, Answer answer) {
        table.row(Cell.of(names),
                answer.filteredOut().map(reason -> new Cell(reason.filter().plugin(), Style.BAD))
                        .orElse(new Cell("nothing", Style.GOOD)),
                Cell.of(because(answer)));
    }

    static String because(Answer answer) {
        return answer.filteredOut().map(reason -> reason.text() + answer.origin()
                .map(origin -> ", from " + Words.from(origin)).orElse("")).orElse("");
    }
}
