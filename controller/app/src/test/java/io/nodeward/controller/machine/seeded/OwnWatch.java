package io.nodeward.controller.machine.seeded;

import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.time.Timers;

/** Watches past the informers. */
class OwnWatch {
    Object watch(ListWatch<Node> nodes, ObjectCache<Node> cache, Timers timers) {
        return new Reflector<>(nodes, cache, ReflectorSettings.DEFAULT, timers, ReflectorListener.NONE);
    }
}
