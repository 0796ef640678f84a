package io.nodeward.demo;

import io.nodeward.core.fakeapi.Refusal;
import io.nodeward.demo.Happening.Asked;
import io.nodeward.demo.Happening.Typed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** After the tour: the fleet is the reader's, and the table follows until it is enough. */
final class Live {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private final Fleet fleet;
    private final Witness witness;
    private final Display display;
    private final Menu menu;
    private final List<String> help;
    private String edit = "nothing edited yet";

    Live(Fleet fleet, Witness witness, Display display, Path kubeconfig, boolean interactive) {
        this.fleet = fleet;
        this.witness = witness;
        this.display = display;
        this.menu = new Menu(fleet);
        this.help = help(kubeconfig, interactive);
    }

    private static List<String> help(Path kubeconfig, boolean interactive) {
        List<String> help = new ArrayList<>(List.of(
                "The controller goes on. Edit and ask yourself, in another terminal:",
                "  export KUBECONFIG=" + kubeconfig,
                "  kubectl get machines,nodes; kubectl edit machine web-1       # spec.taints",
                "  ./nodeward taint md/web ssd:NoSchedule --wait; ./nodeward explain node/web-1"));
        if (interactive) {
            help.addAll(Menu.HELP);
        } else {
            help.add("It ends with Ctrl-C or SIGTERM.");
        }
        return help;
    }

    /** Returns when somebody quits. */
    void follow() throws InterruptedException {
        witness.edit();
        display.live(fleet.pairs(), help, news(), true);
        while (true) {
            boolean edited = false;
            switch (witness.next(FOR_EVER).orElse(null)) {
                case Typed typed when typed.quits() -> {
                    return;
                }
                case Typed typed -> {
                    display.typed();
                    edited = choose(typed.line().strip());
                }
                case Asked asked when !asked.byController() && asked.isWrite() -> {
                    edit = asked.what() + " -> " + asked.request().code();
                    edited = true;
                }
                case null, default -> {}
            }
            display.live(fleet.pairs(), help, news(), edited);
        }
    }

    private boolean choose(String key) {
        if (key.isEmpty()) {
            return false;
        }
        witness.edit();
        try {
            edit = menu.choose(key).orElse("no such number: " + key);
        } catch (Refusal | IllegalArgumentException e) {
            edit = "not done: " + e.getMessage();
        }
        return true;
    }

    private List<String> news() {
        return List.of("  edit    " + Table.cut(edit, 69), "  cost    " + witness.cost());
    }
}
