package io.nodeward.controller.app;

import io.nodeward.core.spi.Backend;
import java.util.List;
import java.util.ServiceLoader;

/** Backends on the class path, chosen by name and by nothing else. */
final class Backends {
    private Backends() {}

    /** @throws IllegalArgumentException listing what is there, if the name is not there exactly once */
    static Backend named(String name) {
        List<Backend> all = all();
        List<Backend> matching = all.stream().filter(backend -> backend.name().equals(name)).toList();
        if (matching.size() != 1) {
            throw new IllegalArgumentException("--backend " + name + ": "
                    + (matching.isEmpty() ? "there is none" : "there are " + matching.size())
                    + " of this name; found are "
                    + all.stream().map(b -> b.name() + " (" + b.getClass().getName() + ")").toList());
        }
        return matching.get(0);
    }

    /** What {@link #named} finds. */
    static List<String> names() {
        return all().stream().map(Backend::name).toList();
    }

    private static List<Backend> all() {
        return ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::get).toList();
    }
}
