package io.nodeward.core.runtime.informer;

import io.nodeward.api.json.Projected;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cache.Store;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One watch and its users, to be called by one thread at a time. */
final class SharedWatch {
    private final Timers timers;
    private final List<Informer<?>> users = new ArrayList<>();
    private @Nullable Reflector<?> reflector;

    SharedWatch(Timers timers) {
        this.timers = timers;
    }

    /** Begins to watch, or begins anew: who comes later has seen nothing yet. */
    void add(List<Informer<?>> more) {
        if (reflector != null) {
            reflector.close();
        }
        users.addAll(more);
        reflector = users.size() == 1 ? users.getFirst().reflector(timers) : shared(List.copyOf(users));
        reflector.start();
    }

    Reflector<?> reflector() {
        if (reflector == null) {
            throw new IllegalStateException("nobody uses this watch");
        }
        return reflector;
    }

    void wake() {
        reflector().wake();
    }

    /** Returns what is to be ended, if this was the last user. */
    Optional<Reflector<?>> remove(Informer<?> user) {
        return users.remove(user) && users.isEmpty() ? Optional.of(reflector()) : Optional.empty();
    }

    private Reflector<Projected> shared(List<Informer<?>> all) {
        Set<Projection<?>> projections =
                all.stream().map(user -> user.source().projection()).collect(Collectors.toSet());
        Source<Projected> source = all.getFirst().source().with(Projection.all(projections));
        List<Store<Projected>> stores = all.stream().<Store<Projected>>map(Informer::store).toList();
        return new Reflector<>(source, each(stores), ReflectorSettings.DEFAULT, timers, telling(all));
    }

    private static Store<Projected> each(List<Store<Projected>> stores) {
        return new Store<>() {
            @Override
            public void put(Projected object) {
                stores.forEach(store -> store.put(object));
            }

            @Override
            public void remove(Projected last) {
                stores.forEach(store -> store.remove(last));
            }

            @Override
            public void retain(Set<ObjectKey> listed) {
                stores.forEach(store -> store.retain(listed));
            }
        };
    }

    private static ReflectorListener telling(List<Informer<?>> all) {
        return new ReflectorListener() {
            @Override
            public void failed(ApiFailure failure) {
                all.forEach(user -> user.failed(failure));
            }

            @Override
            public void following() {
                all.forEach(user -> user.following());
            }
        };
    }
}
