package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Part;
import io.nodeward.core.spi.ApiFailure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Counts writes by what they change and what became of them. */
public final class WriteMeters {
    private final Map<Part, Results> results = new EnumMap<>(Part.class);

    private record Results(Counter written, Counter conflicts, Counter rejected, Counter dryRuns) {}

    public WriteMeters(MeterRegistry registry) {
        for (Part part : Part.values()) {
            results.put(part, new Results(part.counter(registry, "written"), part.counter(registry, "conflict"),
                    part.counter(registry, "rejected"), part.counter(registry, "dry_run")));
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
        return Objects.requireNonNull(results.get(change.part()));
    }
}
