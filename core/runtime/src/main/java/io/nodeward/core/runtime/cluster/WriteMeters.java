package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.spi.ApiFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Counts writes by what they change and what became of them. */
public final class WriteMeters {
    private final Map<ObjectChange.Counted, Results> results = new EnumMap<>(ObjectChange.Counted.class);

    private record Results(Counter written, Counter conflicts, Counter rejected, Counter dryRuns) {
        static Results of(MeterRegistry registry, String name, String description) {
            return new Results(counter(registry, name, description, "written"),
                    counter(registry, name, description, "conflict"),
                    counter(registry, name, description, "rejected"),
                    counter(registry, name, description, "dry_run"));
        }

        private static Counter counter(MeterRegistry registry, String name, String description, String result) {
            return Counter.builder(name).tag("result", result).description(description).register(registry);
        }
    }

    public WriteMeters(MeterRegistry registry) {
        for (ObjectChange.Counted counted : ObjectChange.Counted.values()) {
            results.put(counted, switch (counted) {
                case NODES ->
                        Results.of(registry, "nodeward.node.writes", "Changes of Nodes by what became of them");
                case DECLARED_TAINTS -> Results.of(registry, "nodeward.declared.taints.writes",
                        "Writes of taints declared for others by what became of them");
                case ANNOTATIONS -> Results.of(registry, "nodeward.annotation.writes",
                        "Writes of annotations of owners of Nodes by what became of them");
                case OBJECTS -> Results.of(registry, "nodeward.object.writes",
                        "Changes of objects of other kinds by what became of them");
            });
        }
    }

    /** Sends nothing, and counts what would have been written. */
    public ObjectWriter dryRun() {
        return (change, fieldManager, again) -> {
            of(change).dryRuns.increment();
            return new Applied.DryRun();
        };
    }

    /** Returns what the request returns, or throws what it throws. */
    <T> T count(ObjectChange change, Supplier<T> request) {
        try {
            T answer = request.get();
            of(change).written.increment();
            return answer;
        } catch (ApiFailure.Conflict | ApiFailure.AlreadyExists conflict) {
            of(change).conflicts.increment();
            throw conflict;
        } catch (ApiFailure.Rejected | ApiFailure.Forbidden refused) {
            of(change).rejected.increment();
            throw refused;
        }
    }

    private Results of(ObjectChange change) {
        return Objects.requireNonNull(results.get(change.counted()));
    }
}
