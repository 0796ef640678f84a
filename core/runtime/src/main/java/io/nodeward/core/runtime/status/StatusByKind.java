package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The status of objects of several kinds that one controller works on: each kind has a reporter of its own.
 *
 * @param <K> what work is queued by
 */
public final class StatusByKind<K> implements StatusReporter<K> {
    private final Function<K, StatusReporter<ObjectKey>> reporters;
    private final Function<K, ObjectKey> object;

    /** @param reporters of a key's kind */
    public StatusByKind(Function<K, StatusReporter<ObjectKey>> reporters, Function<K, ObjectKey> object) {
        this.reporters = reporters;
        this.object = object;
    }

    private StatusReporter<ObjectKey> of(K key) {
        return reporters.apply(key);
    }

    @Override
    public void forget(K key) {
        of(key).forget(object.apply(key));
    }

    @Override
    public void unknown(K key) {
        of(key).unknown(object.apply(key));
    }

    @Override
    public Duration waiting(K key, Target owner, String reason) {
        return of(key).waiting(object.apply(key), owner, reason);
    }

    @Override
    public Duration blocked(K key, Target owner, Blocked by, boolean event) {
        return of(key).blocked(object.apply(key), owner, by, event);
    }

    @Override
    public void planned(K key, Target owner, List<Finding> findings) {
        of(key).planned(object.apply(key), owner, findings);
    }

    @Override
    public void written(K key) {
        of(key).written(object.apply(key));
    }

    @Override
    public Duration notWritten(K key, Target owner, Blocked by, boolean certain) {
        return of(key).notWritten(object.apply(key), owner, by, certain);
    }

    @Override
    public Duration heldBack(K key, Target owner, Blocked by) {
        return of(key).heldBack(object.apply(key), owner, by);
    }

    @Override
    public void failed(K key) {
        of(key).failed(object.apply(key));
    }

    @Override
    public Duration inEffect(K key, Target owner, List<Finding> findings, Optional<Awaited> awaited) {
        return of(key).inEffect(object.apply(key), owner, findings, awaited);
    }

    @Override
    public Duration summarize(K key, Target owner, Set<String> members) {
        return of(key).summarize(object.apply(key), owner, members);
    }
}
