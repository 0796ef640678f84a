package io.nodeward.demo;

import io.nodeward.api.machine.MachineTaint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The steps in order; each stands on the one before. */
record Tour(Fleet fleet) {
    private static final String M = "web-1";
    private static final String SHOP = "dedicated=shop:NoSchedule";
    private static final String BANK = "dedicated=bank:NoSchedule";
    private static final String MINE = "dedicated=mine:NoSchedule";
    private static final String DISK = "maintenance=disk:NoSchedule";
    private static final String RACK = "rack=r7:NoSchedule";
    private static final String BURN_IN = "burn-in:NoSchedule";
    private static final String ROLE = "node-role.kubernetes.io/web";
    private static final int HEARTBEATS = 12;

    List<Step> steps(Runnable startController) {
        return List.of(
                start(startController), declare(), changeValue(), overwrite(), unmanaged(), onInitialization(),
                release(),
                adopt(),
                remove(), registerAnew(), labelAndHeartbeats());
    }

    private Step step(String title, String edit, List<String> result, Runnable action, String... expected) {
        return new Step(title, List.of(edit), result, M, action, 1, () -> fleet.pair(M).hasOnly(expected));
    }

    private Step start(Runnable startController) {
        return new Step(
                "the controller starts",
                List.of("nothing; 6 Nodes have registered, the workers with \"uninitialized\""),
                List.of("Each Node got its Machine's taints, and \"uninitialized\" went in the",
                        "same write: no Pod can slip in between."),
                "",
                startController,
                6,
                () -> fleet.pairs().stream().allMatch(
                        pair -> pair.isTracked() && (pair.name().startsWith("cp") || pair.hasOnly("*" + Fleet.TIER))));
    }

    private Step declare() {
        return step(
                "a Machine declares a taint",
                "Machine web-1: spec.taints gets " + SHOP + ", Always",
                List.of("Its Node has it. The star says: it came from the Machine."),
                () -> fleet.declare(M, SHOP, MachineTaint.ALWAYS),
                "*" + Fleet.TIER, "*" + SHOP);
    }

    private Step changeValue() {
        return step(
                "its value changes",
                "Machine web-1: dedicated=shop becomes dedicated=bank",
                List.of("The Node follows."),
                () -> fleet.declare(M, BANK, MachineTaint.ALWAYS),
                "*" + Fleet.TIER, "*" + BANK);
    }

    private Step overwrite() {
        return step(
                "somebody changes it on the Node by hand",
                "kubectl taint nodes web-1 " + MINE + " --overwrite",
                List.of("Reconciled: the Machine still says bank."),
                () -> fleet.editNode(M, taints -> taints.with(TaintList.taint(MINE))),
                "*" + Fleet.TIER, "*" + BANK);
    }

    private Step unmanaged() {
        return step(
                "somebody replaces our taint with one of their own",
                "Node web-1: dedicated goes, " + DISK + " comes",
                List.of("Ours is back. Theirs is unmanaged (o), and stays whatever we do."),
                () -> fleet.editNode(M, taints -> taints.without("dedicated").with(TaintList.taint(DISK))),
                "*" + Fleet.TIER, "*" + BANK, DISK);
    }

    private Step onInitialization() {
        Map<String, String> both = new LinkedHashMap<>();
        both.put(RACK, MachineTaint.ALWAYS);
        both.put(BURN_IN, MachineTaint.ON_INITIALIZATION);
        return new Step(
                "a taint for new Nodes only",
                List.of("Machine web-1: gets " + RACK + ", Always", "and " + BURN_IN + ", OnInitialization"),
                List.of("rack is there. burn-in is not: this Node was initialized before."),
                M,
                () -> fleet.declare(M, both),
                1,
                () -> fleet.pair(M).hasOnly("*" + Fleet.TIER, "*" + BANK, DISK, "*" + RACK));
    }

    private Step release() {
        return step(
                "Always becomes OnInitialization",
                "Machine web-1: propagation of dedicated is now OnInitialization",
                List.of("The taint stays on the Node, and is nobody's now: o, no star."),
                () -> fleet.declare(M, BANK, MachineTaint.ON_INITIALIZATION),
                "*" + Fleet.TIER, BANK, DISK, "*" + RACK);
    }

    private Step adopt() {
        return step(
                "and Always again",
                "Machine web-1: propagation of dedicated is Always again",
                List.of("Adopted as it stands: the taint list was not written."),
                () -> fleet.declare(M, BANK, MachineTaint.ALWAYS),
                "*" + Fleet.TIER, "*" + BANK, DISK, "*" + RACK);
    }

    private Step remove() {
        return step(
                "a Machine no longer declares it",
                "Machine web-1: dedicated is removed from spec.taints",
                List.of("It is gone from the Node. The unmanaged taint is where it was."),
                () -> fleet.undeclare(M, "dedicated"),
                "*" + Fleet.TIER, DISK, "*" + RACK);
    }

    private Step registerAnew() {
        return step(
                "the Node registers anew",
                "Node web-1 is deleted and created again, with \"uninitialized\" alone",
                List.of("All its taints came in one write, and now burn-in too, this once;",
                        "\"uninitialized\" went with that write."),
                () -> fleet.registerAnew(M),
                "*" + Fleet.TIER, "*" + RACK, BURN_IN);
    }

    private Step labelAndHeartbeats() {
        return new Step(
                "labels travel too, and heartbeats cost nothing",
                List.of("the 5 other Nodes report " + HEARTBEATS + " heartbeats each; then",
                        "Machine web-1 gets label " + ROLE),
                List.of("One write for the label (kubectl get nodes: ROLES), none for the 60."),
                M,
                () -> {
                    fleet.heartbeats(HEARTBEATS, M);
                    fleet.label(M, ROLE, "");
                },
                1,
                () -> fleet.pair(M).node().filter(n -> n.metadata().labels().containsKey(ROLE)).isPresent());
    }
}
