package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pause of all writes of the process, which a ConfigMap of the home cluster begins and ends. Without the object the process may
 * write. Until it has been read the process may not, so that a start writes nothing past a pause. When the watch is lost, what it said
 * last holds.
 */
public final class WritePause implements ReflectorListener {
    /** The pause of a process that no ConfigMap pauses. */
    public static final WritePause NEVER = new WritePause(Optional.empty());

    private static final Logger LOG = LoggerFactory.getLogger(WritePause.class);
    private static final String PAUSED = "paused";
    /** The values that do not pause. All others do: a typo must not let writes pass. */
    private static final Set<String> RUNNING = Set.of("", "false", "no", "0");
    private static final Set<String> PAUSING = Set.of("true", "yes", "1");

    private enum State {
        UNKNOWN, RUNNING, PAUSED
    }

    private final Optional<ObjectKey> configMap;
    private volatile State state;
    /** The tasks for the end of the pause; guarded by itself, as changes of the state are. */
    private final List<Runnable> waiting = new ArrayList<>();
    private volatile boolean warned;
    private volatile Optional<String> unreadable = Optional.empty();

    private WritePause(Optional<ObjectKey> configMap) {
        this.configMap = configMap;
        this.state = configMap.isEmpty() ? State.RUNNING : State.UNKNOWN;
    }

    /** @param configMap empty if none pauses the process */
    public static WritePause of(Optional<ObjectKey> configMap, MeterRegistry registry) {
        WritePause pause = new WritePause(configMap);
        Gauge.builder("nodeward.paused", pause, it -> it.state == State.RUNNING ? 0 : 1)
                .description("1 while a pause stops all writes, or the process does not know yet whether one does")
                .register(registry);
        return pause;
    }

    /** Watches the ConfigMap. The caller has not started the home cluster yet. */
    public void watch(HomeCluster home) {
        configMap.ifPresent(
                key -> follow(key, home.watch(Resources.CONFIG_MAPS, key, Projection.CONFIG_MAP, this)));
    }

    void follow(ObjectKey key, ObjectCache<ConfigMap> cache) {
        cache.subscribe((before, after) -> decide(key, Optional.ofNullable(after)));
        cache.whenSynced(() -> decide(key, cache.get(key)));
    }

    /** Returns whether it is not known yet if the process is paused. */
    boolean isUnknown() {
        return state == State.UNKNOWN;
    }

    /** Returns the right that is missing, so that it is not known; empty if it is known, or may be soon. */
    Optional<String> unreadable() {
        return state == State.UNKNOWN ? unreadable : Optional.empty();
    }

    /**
     * Lets a write pass.
     *
     * @param doing the request in words
     * @throws ApiFailure.Paused if the request must not be sent now
     */
    void check(String doing) {
        State now = state;
        if (now != State.RUNNING) {
            String why = now == State.PAUSED ? "writes are paused by ConfigMap " : "writes wait for ConfigMap ";
            throw ApiFailure.paused(doing, why + configMap.map(ObjectKey::toString).orElse(""), this::whenOver);
        }
    }

    private void whenOver(Runnable task) {
        synchronized (waiting) {
            if (state != State.RUNNING) {
                waiting.add(task);
                return;
            }
        }
        task.run();
    }

    private void decide(ObjectKey key, Optional<ConfigMap> found) {
        String value = found.map(object -> object.data().getOrDefault(PAUSED, "")).orElse("")
                .strip().toLowerCase(Locale.ROOT);
        boolean paused = !RUNNING.contains(value);
        if (paused && !PAUSING.contains(value)) {
            LOG.warn("ConfigMap {}: {} pauses, as it is neither \"true\" nor \"false\"", key, PAUSED);
        }
        List<Runnable> over = new ArrayList<>();
        synchronized (waiting) {
            State before = state;
            state = paused ? State.PAUSED : State.RUNNING;
            if (before == state) {
                return;
            }
            if (!paused) {
                over.addAll(waiting);
                waiting.clear();
            }
            log(key, before);
        }
        over.forEach(Runnable::run);
    }

    private void log(ObjectKey key, State before) {
        if (state == State.PAUSED) {
            LOG.warn("paused by ConfigMap {}: nothing is written until it says otherwise", key);
        } else if (before == State.PAUSED) {
            LOG.info("resumed: ConfigMap {} does not pause any more", key);
        }
    }

    /** Logs once what a missing right costs. */
    @Override
    public void failed(ApiFailure failure) {
        String what =
                "nothing is written until ConfigMap " + configMap.map(ObjectKey::toString).orElse("") + " can be read";
        String remedy = "; grant get, list and watch of it, or set --pause-configmap= to do without";
        unreadable = failure instanceof ApiFailure.Forbidden ? Optional.of(what + remedy) : Optional.empty();
        if (state == State.UNKNOWN && !warned) {
            warned = true;
            LOG.warn("{}: {}{}", what, failure.getMessage(), remedy);
        }
    }
}
