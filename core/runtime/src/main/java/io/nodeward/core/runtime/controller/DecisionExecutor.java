package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.Finding;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.WriteLimiter;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Carries out what the reconciler of one controller decides: at most one request for a decision, and none while somebody
 * else keeps undoing them. A change that meets a newer object is decided anew. Reports to the status what comes of it.
 *
 * @param <K> what the controller queues work by
 */
final class DecisionExecutor<K> implements Function<K, Result> {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionExecutor.class);
    /** Decisions made for one call while others keep changing the object; then the key goes back to the queue. */
    private static final int TRIES = 20;
    /** Between tries to write what misses its namespace, or is missing itself: no event of a controller may tell of it. */
    private static final Backoff WHILE_MISSING = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10));

    private final Reconciler<K> reconciler;
    private final ObjectWriter writer;
    private final StatusReporter<K> status;
    private final String fieldManager;
    private final WriteLimits limits;
    /** Limits the writes that are accepted, and do not last. */
    private final WriteLimiter<K, Object> limiter;
    /** Limits the writes that a server refuses: it may also bring the key back each time, by a change of the object. */
    private final WriteLimiter<K, Object> refusalLimiter;
    /** The last refusals of keys whose last write was refused. */
    private final Map<K, Refusal> refusals = new ConcurrentHashMap<>();

    /** The last of a row in which a write was refused. */
    private record Refusal(int count, Object declared, Verb verb, Target owner, ApiFailure failure) {
        boolean isOf(Decision.Change decision) {
            return declared.equals(decision.declared()) && verb.equals(decision.change().verb());
        }
    }

    /**
     * @param limits beyond which writes wait that another writer keeps undoing, or a server refuses
     * @param ticker nanoseconds since any one moment
     */
    DecisionExecutor(
            Reconciler<K> reconciler,
            ObjectWriter writer,
            StatusReporter<K> status,
            String fieldManager,
            WriteLimits limits,
            LongSupplier ticker) {
        this.reconciler = reconciler;
        this.writer = writer;
        this.status = status;
        this.fieldManager = fieldManager;
        this.limits = limits;
        this.limiter = limits.limiter(ticker);
        this.refusalLimiter = limits.limiter(ticker);
    }

    /** @throws ApiFailure whose kind decides when the key is tried again */
    @Override
    public Result apply(K key) {
        for (int tries = 1;; tries++) {
            Decision decision = reconciler.reconcile(key);
            Optional<Result> result = decision instanceof Decision.Change change
                    ? change(key, change, tries)
                    : Optional.of(execute(key, decision));
            if (result.isPresent()) {
                return result.get();
            }
        }
    }

    private Result execute(K key, Decision decision) {
        refusals.remove(key);
        return switch (decision) {
            case Decision.Gone gone -> gone(key, gone);
            case Decision.Waiting waiting -> waiting(key, waiting);
            case Decision.Blocked blocked -> sooner(Result.blocked(blocked.by(),
                    status.report(key, blocked.owner(), new Outcome.Stuck(blocked.by(), blocked.event()))),
                    blocked.recheck());
            case Decision.InEffect inEffect -> {
                status.report(key, inEffect.owner(), new Outcome.Planned(inEffect.findings()));
                yield sooner(inEffect(key, inEffect, inEffect.owner(), inEffect.findings(), Optional.empty()),
                        inEffect.recheck());
            }
            case Decision.Summary summary -> {
                reconciler.executed(key, summary);
                yield reported(status.report(key, summary.owner(), new Outcome.Summary(summary.members())));
            }
            case Decision.Change change -> throw new IllegalArgumentException("not carried out here: " + change);
        };
    }

    private Result gone(K key, Decision.Gone gone) {
        limiter.forget(key);
        refusalLimiter.forget(key);
        status.forget(key);
        reconciler.executed(key, gone);
        Duration left = gone.owner()
                .map(owner -> status.report(key, owner, new Outcome.InEffect(List.of(), Optional.empty())))
                .orElse(Duration.ZERO);
        return left.isZero() ? Result.waiting("nothing: " + gone.reason()) : reported(left);
    }

    private Result waiting(K key, Decision.Waiting waiting) {
        if (waiting.owner().isEmpty()) {
            status.unknown(key);
            return Result.waiting(waiting.reason());
        }
        Duration left = status.report(key, waiting.owner().get(), new Outcome.Waiting(waiting.reason()));
        return left.isZero() ? Result.waiting(waiting.reason()) : Result.requeueAfter(left, waiting.reason());
    }

    /** Returns empty if the object has changed meanwhile, or its owner by this, and the key is to be decided on anew. */
    private Optional<Result> change(K key, Decision.Change decision, int tries) {
        ObjectChange change = decision.change();
        status.report(key, decision.owner(), new Outcome.Planned(decision.findings()));
        if (change.isEmpty()) {
            return Optional.of(inEffect(key, decision));
        }
        Refusal last = refusals.get(key);
        Optional<Duration> pause = refusalLimiter.hold(key, decision.declared());
        if (pause.isPresent()) {
            return Optional.of(refusedOften(key, decision, Optional.ofNullable(last), pause.get()));
        }
        if (last != null && last.isOf(decision) && status.isOutdated(last.owner)) {
            // A conflict kept it from the status, be it over another member of the same owner: it is reported once more
            // before the write is tried again, and nothing is sent.
            return Optional.of(rejected(key, decision, last.failure, last.count));
        }
        Optional<Duration> hold = limiter.hold(key, decision.declared());
        if (hold.isPresent()) {
            return Optional.of(heldBack(key, decision, hold.get()));
        }
        try {
            return applied(key, decision, writer.apply(change, fieldManager, tries > 1), tries == TRIES);
        } catch (ApiFailure.Rejected | ApiFailure.NotFound rejected) {
            refusalLimiter.count(key, decision.declared());
            return Optional.of(rejected(key, decision, rejected, last == null ? 1 : last.count + 1));
        } catch (ApiFailure.Forbidden forbidden) {
            refusalLimiter.count(key, decision.declared());
            // The one who installs Nodeward grants the rights in its own cluster, and nobody else does later.
            status.report(key, decision.owner(),
                    new Outcome.NotWritten(change.refused(forbidden), change.cluster().isEmpty()));
            throw forbidden;
        } catch (ApiFailure failure) {
            status.report(key, decision.owner(), new Outcome.Failed());
            if (failure instanceof ApiFailure.Unreachable) {
                reconciler.unanswered(key, decision);
            }
            throw failure;
        }
    }

    private Optional<Result> applied(K key, Decision.Change decision, Applied applied, boolean last) {
        ObjectChange change = decision.change();
        switch (applied) {
            case Applied.Written written -> {
                limiter.count(key, decision.declared());
                log(change, change.done());
                if (!last && isOfOwner(decision)) {
                    return Optional.empty();
                }
            }
            case Applied.DryRun dryRun -> log(change, "dry run: not written");
            case Applied.Gone gone -> log(change, change.kind() + " is gone");
            case Applied.Outdated outdated -> {
                if (last) {
                    throw outdated.failure();
                }
                return Optional.empty();
            }
            case Applied.Unanswered unanswered -> throw unanswered.failure();
            case Applied.Unavailable unavailable -> {
                Decision.Waiting waiting =
                        new Decision.Waiting(unavailable.awaited(), Optional.of(decision.owner()));
                reconciler.executed(key, waiting);
                return Optional.of(execute(key, waiting));
            }
        }
        return Optional.of(inEffect(key, decision));
    }

    /** Then the cache has a newer owner by now, and a status that holds on the older one would be refused. */
    private static boolean isOfOwner(Decision.Change decision) {
        ObjectChange change = decision.change();
        return change.seen().isPresent() && change.objectKind().resource().equals(decision.owner().resource())
                && change.key().equals(decision.owner().regarding().key());
    }

    private Result inEffect(K key, Decision.Change decision) {
        return sooner(inEffect(key, decision, decision.owner(), decision.findings(), decision.awaited()),
                decision.recheck());
    }

    private static Result sooner(Result result, Optional<Result.RequeueAfter> recheck) {
        return recheck.map(again -> Result.first(result, again)).orElse(result);
    }

    /** All is as planned. That somebody keeps undoing it is over only when it has lasted. */
    private Result inEffect(
            K key, Decision decision, Target owner, List<Finding> findings, Optional<Awaited> awaited) {
        refusals.remove(key);
        reconciler.executed(key, decision);
        Optional<Duration> restless = limiter.restless(key);
        if (restless.isPresent()) {
            status.report(key, owner, new Outcome.Restless());
            return Result.requeueAfter(restless.get(), "what was repaired to last");
        }
        return reported(status.report(key, owner, new Outcome.InEffect(findings, awaited)));
    }

    private Result heldBack(K key, Decision.Change decision, Duration hold) {
        Blocked undone = decision.change().undone(
                "somebody keeps undoing what is declared; after " + limits + " the next waits");
        Duration left = status.report(key, decision.owner(), new Outcome.HeldBack(undone));
        return Result.requeueAfter(sooner(left, hold), "others to stop changing " + decision.change().object());
    }

    /** Sends nothing, and reports the last refusal again. What was reported of a missing right stays. */
    private Result refusedOften(K key, Decision.Change decision, Optional<Refusal> last, Duration pause) {
        Duration left = last.filter(refusal -> refusal.isOf(decision))
                .map(refusal -> status.report(key, decision.owner(),
                        new Outcome.NotWritten(decision.change().refused(refusal.failure), true)))
                .orElse(Duration.ZERO);
        return Result.requeueAfter(sooner(left, pause), decision.change().object() + " to be accepted");
    }

    /** Without pauses it is tried once more before a condition reports it; then only a change brings it back. */
    private Result rejected(K key, Decision.Change decision, ApiFailure rejected, int count) {
        Duration left = status.report(
                key, decision.owner(), new Outcome.NotWritten(decision.change().refused(rejected), true));
        Duration wait = left;
        Optional<Backoff> pauses = limits.afterRefusal().or(status::afterRefusal).or(
                () -> rejected instanceof ApiFailure.NotFound ? Optional.of(WHILE_MISSING) : Optional.empty());
        refusals.put(key, new Refusal(
                count, decision.declared(), decision.change().verb(), decision.owner(), rejected));
        if (pauses.isPresent()) {
            wait = sooner(left, pauses.get().delay(count));
            LOG.warn("{}; again in {} s", rejected.getMessage(), wait.toSeconds());
        } else if (left.isZero()) {
            throw rejected;
        }
        return Result.requeueAfter(wait, decision.change().object() + " to be accepted");
    }

    /** @param left zero if the status asks for nothing */
    private static Duration sooner(Duration left, Duration other) {
        return left.isZero() || left.compareTo(other) > 0 ? other : left;
    }

    private static Result reported(Duration left) {
        return left.isZero() ? Result.done() : Result.requeueAfter(left, "its status to change or last");
    }

    private static void log(ObjectChange change, String done) {
        LoggingEventBuilder line = LOG.atInfo().addKeyValue(change.kind(), change.key().toString());
        change.fields().forEach(line::addKeyValue);
        line.log(done);
    }
}
