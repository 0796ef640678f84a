package io.nodeward.e2e.machine;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * When the controller has done all that is to be done: it has answered all canaries, its queues are empty, and that made it
 * request nothing. No time decides, but where there is no canary, or no controller and only the audit log is waited for.
 */
final class Rest {
    private static final int MOST_ROUNDS = 100;

    private final ControlPlane controlPlane;
    private final List<Canary> canaries = new CopyOnWriteArrayList<>();
    private final List<RunningNodeward> controllers = new CopyOnWriteArrayList<>();

    Rest(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    void add(Canary canary) {
        canaries.add(canary);
    }

    RunningNodeward add(RunningNodeward controller) {
        controllers.add(controller);
        return controller;
    }

    /** The controller's requests since the mark, answers to canaries left out. */
    List<AuditRequest> requestsSince(AuditLog.Mark mark) {
        return controlPlane.audit().since(mark)
                .filter(request -> MachineSuite.isNodeward(request)
                        && canaries.stream().noneMatch(canary -> canary.isAnswer(request)))
                .toList();
    }

    /** Waits for it and gives that place. */
    AuditLog.Mark await() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            AuditLog.Mark mark = controlPlane.audit().mark();
            lookAround(mark);
            if (requestsSince(mark).isEmpty()) {
                return controlPlane.audit().mark();
            }
        }
        throw new AssertionError("the controller does not come to rest");
    }

    private void lookAround(AuditLog.Mark mark) {
        controllers.removeIf(controller -> !controller.isOpen());
        if (controllers.isEmpty() || canaries.isEmpty()) {
            controlPlane.audit().settled(mark, MachineSuite::isNodeward, MachineSuite.QUIET);
        } else {
            canaries.forEach(Canary::awaitSeen);
        }
        controllers.forEach(RunningNodeward::awaitIdle);
    }
}
