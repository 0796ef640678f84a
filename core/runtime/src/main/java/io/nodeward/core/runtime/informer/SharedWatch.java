package io.nodeward.core.runtime.informer;

import io.nodeward.api.json.Projected;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.cache.Store;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One watch and its users, to be called by one thread at a time. It waits for nothing. */
final class SharedWatch {
    private final Timers timers;
    private final List<Informer<?>> users = new ArrayList<>();
    private @Nullable Reflector<?> reflector;

    SharedWatch(Timers timers) {
        this.timers = timers;
    }

    /**
     * Begins to watch, or begins anew: who comes later has seen nothing yet.
     *
     * @return the reflector before, to be ended: it feeds nobody any more
     */
    Optional<Reflector<?>> add(List<Informer<?>> more) {
        Optional<Reflector<?>> before = Optional.ofNullable(reflector);
        users.addAll(more);
        reflector = users.size() == 1 ? users.getFirst().reflector(timers) : shared(List.copyOf(users));
        reflector.start();
        return before;
    }

    Reflector<?> reflector() {
        return Objects.requireNonNull(reflector, "nobody uses this watch");
    }

    /** Returns whether a user keeps less of an object than there is, and forgets it. */
    boolean takeReduced() {
        return users.stream().filter(Informer::takeReduced).count() > 0;
    }

    /** Returns whether this was the last user. */
    boolean remove(Informer<?> user) {
        return users.remove(user) && users.isEmpty();
    }

    /** No user takes anything more. */
    void end() {
        users.forEach(Informer::end);
    }

    private Reflector<Projected> shared(List<Informer<?>> all) {
        Set<Projection<?>> projections =
                all.stream().map(user -> user.listWatch().projection()).collect(Collectors.toSet());
        ListWatch<Projected> listWatch = all.getFirst().listWatch().with(Projection.all(projections));
        Feeds feeds = new Feeds(all.stream().<Informer<?>.Feed<Projected>>map(Informer::share).toList());
        return new Reflector<>(listWatch, feeds, ReflectorSettings.DEFAULT, timers, feeds);
    }

    /** Hands on to each user. */
    private record Feeds(List<Informer<?>.Feed<Projected>> each) implements Store<Projected>, ReflectorListener {
        @Override
        public void put(Projected object) {
            each.forEach(feed -> feed.put(object));
        }

        @Override
        public void remove(Projected last) {
            each.forEach(feed -> feed.remove(last));
        }

        @Override
        public void replace(Set<ObjectKey> listed) {
            each.forEach(feed -> feed.replace(listed));
        }

        @Override
        public String newest() {
            return each.stream().map(Store::newest)
                    .reduce("", (one, other) -> one.isEmpty() || ResourceVersions.isOlder(one, other) ? other : one);
        }

        @Override
        public String newerThan(Projected object) {
            return each.stream().map(feed -> feed.newerThan(object)).filter(version -> !version.isEmpty()).findFirst()
                    .orElse("");
        }

        @Override
        public void restored() {
            each.forEach(Store::restored);
        }

        @Override
        public void failed(ApiFailure failure) {
            each.forEach(feed -> feed.failed(failure));
        }

        @Override
        public void following() {
            each.forEach(feed -> feed.following());
        }
    }
}
