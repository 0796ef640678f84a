package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.Carry;
import io.nodeward.core.rules.topology.CarryPlan;
import io.nodeward.core.rules.topology.CarryPlan.Write;
import io.nodeward.core.runtime.cluster.TaintWriter;
import io.nodeward.core.runtime.cluster.TaintWriter.Ended;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives one object the taints that are declared for it above: load, plan, at most one write, record. */
final class TopologyReconciler {
    static final String FIELD_MANAGER = "nodeward-topology";

    private static final Logger LOG = LoggerFactory.getLogger(TopologyReconciler.class);
    /** Plans made for one call while others keep changing the object; then the task goes back to the queue. */
    private static final int TRIES = 20;

    private final Situations situations;
    private final TaintWriter writer;
    private final TopologyJournal journal;
    private final Backoff afterRefusal;
    /** How often in a row. */
    private final Map<Task, Integer> refusals = new ConcurrentHashMap<>();

    @Inject
    TopologyReconciler(
            Situations situations, TaintWriter writer, TopologyJournal journal, TopologyConfig config) {
        this.afterRefusal = config.afterRefusal;
        this.situations = situations;
        this.writer = writer;
        this.journal = journal;
    }

    Result reconcile(Task task) {
        if (task.tells()) {
            return journal.tell(task.declarer());
        }
        for (int tries = 1; tries <= TRIES; tries++) {
            Situation situation = situations.load(task);
            Optional<Result> result = situation instanceof Situation.Ready ready
                    ? carry(task, ready)
                    : Optional.of(waiting(task, situation));
            if (result.isPresent()) {
                return result.get();
            }
        }
        return Result.requeueAfter(Duration.ofSeconds(1), "others to stop changing the object");
    }

    /** Returns empty if the object has changed meanwhile, and is to be planned again. */
    private Optional<Result> carry(Task task, Situation.Ready ready) {
        CarryPlan plan = Carry.plan(ready.hop(), ready.wanted(), ready.expected(), ready.at().found());
        String manager = ready.hop().manager();
        try {
            return switch (plan.write()) {
                case Write.Nothing nothing -> ended(task, ready, plan, new Ended.InEffect());
                case Write.Apply apply ->
                        ended(task, ready, plan, writer.apply(ready.at(), apply.taints(), apply.force(), manager));
                case Write.Replace replace ->
                        ended(task, ready, plan, writer.replace(ready.at(), replace.taints(), manager));
                case Write.Refused refused -> {
                    journal.stuck(task, ready.declarer(), ready.at().toString(), refused(refused));
                    yield Optional.of(Result.waiting("the end of " + refused.refusal()));
                }
            };
        } catch (ApiFailure.Rejected rejected) {
            stuck(task, ready, rejected);
            Duration pause = afterRefusal.delay(refusals.merge(task, 1, Integer::sum));
            LOG.warn("{}; again in {} s", rejected.getMessage(), pause.toSeconds());
            return Optional.of(Result.requeueAfter(pause, "the refusal to end"));
        } catch (ApiFailure.Forbidden forbidden) {
            stuck(task, ready, forbidden);
            throw forbidden;
        }
    }

    private void stuck(Task task, Situation.Ready ready, ApiFailure refused) {
        journal.stuck(task, ready.declarer(), ready.at().toString(),
                new Blocked("TaintsRejected", "the write was refused: " + refused.status().message()));
    }

    private Optional<Result> ended(Task task, Situation.Ready ready, CarryPlan plan, Ended ended) {
        return switch (ended) {
            case Ended.InEffect done -> {
                refusals.remove(task);
                Optional<Duration> restless = writer.restless(ready.at());
                if (restless.isPresent()) {
                    yield Optional.of(Result.requeueAfter(restless.get(), "what was repaired to last"));
                }
                contested(plan).ifPresentOrElse(
                        by -> journal.stuck(task, ready.declarer(), ready.at().toString(), by),
                        () -> journal.free(task));
                yield Optional.of(Result.done());
            }
            case Ended.HeldBack held -> {
                journal.stuck(task, ready.declarer(), ready.at().toString(), held.by());
                yield Optional.of(Result.requeueAfter(held.left(), "others to stop changing " + ready.at()));
            }
            case Ended.Outdated newer -> Optional.empty();
        };
    }

    private static Optional<Blocked> contested(CarryPlan plan) {
        return plan.contests().isEmpty()
                ? Optional.empty()
                : Optional.of(new Blocked("TaintContested", plan.contests().stream()
                        .map(CarryPlan.Contest::toString).collect(Collectors.joining("; "))));
    }

    private static Blocked refused(Write.Refused refused) {
        return switch (refused.refusal()) {
            case OTHER_CARRIER -> new Blocked("OtherCarrier", refused.message()
                    + ", and has not carried what is declared; leave it to that (--topology-mode=complete, or the gate"
                    + " TopologyTaintPropagation off), or see the guide on taking over");
            case OWNED_AS_A_WHOLE -> new Blocked("ListOwnedAsAWhole", refused.message());
            case TOO_MANY -> new Blocked("TooManyTaints", refused.message());
        };
    }

    private Result waiting(Task task, Situation situation) {
        refusals.remove(task);
        return switch (situation) {
            case Situation.NotOurs notOurs -> {
                journal.free(task);
                yield Result.waiting("nothing: " + notOurs.reason());
            }
            case Situation.Waiting waiting -> {
                journal.free(task); // it is not known whether anything is wrong
                yield Result.waiting(waiting.reason());
            }
            case Situation.Stuck stuck -> {
                journal.stuck(task, stuck.declarer(), stuck.name(), stuck.by());
                yield Result.waiting("the end of " + stuck.by().reason());
            }
            case Situation.Ready ready -> Result.done();
        };
    }
}
