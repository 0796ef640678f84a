package io.nodeward.demo;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Edits by a key, for whoever has no kubectl at hand. */
final class Menu {
    static final List<String> HELP = List.of(
            "or type a number and Enter, for web-2: 1 declare a taint  2 change its value",
            "3 make it OnInitialization  4 remove it  5 drift: take it off the Node by hand",
            "6 put an unmanaged taint on the Node  7 register the Node anew     q quits");

    private static final String M = "web-2";
    private static final String YOURS = "dedicated=yours:NoSchedule";
    private static final String MINE = "dedicated=mine:NoSchedule";

    private record Edit(String what, Runnable action) {}

    private final Map<String, Edit> edits;

    Menu(Fleet fleet) {
        this.edits = Map.of(
                "1", new Edit("Machine web-2 declares " + YOURS, () -> fleet.declare(M, YOURS, MachineTaint.ALWAYS)),
                "2", new Edit("Machine web-2 declares " + MINE, () -> fleet.declare(M, MINE, MachineTaint.ALWAYS)),
                "3",
                new Edit("Machine web-2: dedicated is OnInitialization",
                        () -> fleet.declare(M, YOURS, MachineTaint.ON_INITIALIZATION)),
                "4", new Edit("Machine web-2: dedicated is removed", () -> fleet.undeclare(M, "dedicated")),
                "5",
                new Edit("Node web-2: dedicated is taken off by hand",
                        () -> fleet.editNode(M, t -> t.without("dedicated"))),
                "6", new Edit("Node web-2: somebody puts on maintenance:NoExecute", () -> fleet.editNode(
                        M, t -> t.with(TaintList.taint("maintenance:NoExecute")))),
                "7", new Edit("Node web-2 is deleted and created again", () -> fleet.registerAnew(M)));
    }

    /** Makes the edit and says what it is; empty if there is none of that key. */
    Optional<String> choose(String key) {
        return Optional.ofNullable(edits.get(key)).map(edit -> {
            edit.action().run();
            return edit.what();
        });
    }
}
