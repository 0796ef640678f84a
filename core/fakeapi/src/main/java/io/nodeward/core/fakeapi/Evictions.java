package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** The subresource eviction of Pods: a deletion that the Pod's disruption budget, if it has one, must allow. */
record Evictions(Registry registry, Writer writer) {
    static final String SUBRESOURCE = "eviction";

    /** Seconds until a budget that nobody has looked at yet should be asked again. */
    private static final int LOOK_AGAIN = 10;

    /** Of Pods that run no more or do not run yet; of one without a phase, too. */
    private static final Set<String> NOT_RUNNING = Set.of("", "Pending", "Succeeded", "Failed");

    void evict(Exchange exchange, Verbs.RequestInfo info) throws IOException {
        ObjectNode eviction = eviction(exchange, info.name());
        Stored pod = info.store().get(info.namespace(), info.name());
        boolean dryRun = exchange.query("dryRun").equals("All")
                || !eviction.path("deleteOptions").path("dryRun").isEmpty();
        ObjectNode object = pod.read(info.kind(), "v1");
        if (!NOT_RUNNING.contains(Json.text(object, "status", "phase"))
                && !object.path("metadata").has("deletionTimestamp")) {
            requireAllowed(pod, object, dryRun);
        }
        writer.delete(info.store(), info.version(), info.namespace(), info.name(),
                eviction.path("deleteOptions").path("preconditions"), dryRun);
        ObjectNode done = Json.object().put("kind", "Status").put("apiVersion", "v1");
        done.putObject("metadata");
        exchange.answer(201, done.put("status", "Success").put("code", 201));
    }

    private static ObjectNode eviction(Exchange exchange, String pod) {
        ObjectNode eviction = Verbs.body(exchange, "Eviction");
        if (!Json.text(eviction, "kind").equals("Eviction")) {
            throw Refusal.badRequest("the object provided is unrecognized (must be of type Eviction)");
        }
        if (!eviction.path("metadata").path("name").asText(pod).equals(pod)) {
            throw Refusal.badRequest("name in URL does not match name in Eviction object");
        }
        return eviction;
    }

    private void requireAllowed(Stored pod, ObjectNode object, boolean dryRun) {
        Store budgets = registry.store(Kinds.BUDGETS);
        List<Stored> concerned = budgets.snapshot(pod.namespace(), 0, "").objects().stream()
                .filter(b -> LabelSelector.of(b.read(budgets.kind(), "").path("spec").path("selector"))
                        .matches(pod.labels()))
                .toList();
        if (concerned.size() > 1) {
            throw Refusal.of(500, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource"
                    + " does not support.");
        }
        for (Stored budget : concerned) {
            if (isReady(object) || !mayGoUnready(budget.read(budgets.kind(), ""))) {
                Writer.By by = new Writer.By("kube-apiserver", "status", dryRun, false);
                writer.update(budgets, "v1", pod.namespace(), budget.name(), b -> spent(b, pod.name()), by);
            }
        }
    }

    private static boolean isReady(ObjectNode pod) {
        for (var condition : pod.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Ready")) {
                return Json.text(condition, "status").equals("True");
            }
        }
        return false;
    }

    private static boolean mayGoUnready(ObjectNode budget) {
        int desired = budget.path("status").path("desiredHealthy").asInt();
        return Json.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || desired > 0 && budget.path("status").path("currentHealthy").asInt() >= desired;
    }

    private static ObjectNode spent(ObjectNode budget, String pod) {
        String name = Json.text(budget, "metadata", "name");
        if (budget.path("status").path("observedGeneration").asLong() < budget.path("metadata").path("generation")
                .asLong()) {
            throw Refusal.overBudget(
                    LOOK_AGAIN, "The disruption budget " + name + " is still being processed by the server.");
        }
        int allowed = budget.path("status").path("disruptionsAllowed").asInt();
        if (allowed <= 0) {
            throw Refusal.overBudget(0, "The disruption budget %s needs %d healthy pods and has %d currently"
                    .formatted(name, budget.path("status").path("desiredHealthy").asInt(),
                            budget.path("status").path("currentHealthy").asInt()));
        }
        ObjectNode after = budget.deepCopy();
        ObjectNode status = Json.child(after, "status").put("disruptionsAllowed", allowed - 1);
        Json.child(status, "disruptedPods").put(pod, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return after;
    }
}
