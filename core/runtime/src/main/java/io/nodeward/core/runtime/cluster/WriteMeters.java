package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.spi.ApiFailure;
import java.util.function.Supplier;

/** Counts writes of one kind by result. */
final class WriteMeters {
    private final Counter written;
    private final Counter conflicts;
    private final Counter rejected;
    final Counter dryRuns;

    private WriteMeters(MeterRegistry registry, String name, String description) {
        this.written = counter(registry, name, description, "written");
        this.conflicts = counter(registry, name, description, "conflict");
        this.rejected = counter(registry, name, description, "rejected");
        this.dryRuns = counter(registry, name, description, "dry_run");
    }

    /** Returns what the request returns, or throws what it throws. */
    <T> T count(Supplier<T> request) {
        try {
            T answer = request.get();
            written.increment();
            return answer;
        } catch (ApiFailure.Conflict | ApiFailure.AlreadyExists conflict) {
            conflicts.increment();
            throw conflict;
        } catch (ApiFailure.Rejected | ApiFailure.Forbidden refused) {
            rejected.increment();
            throw refused;
        }
    }

    /** {@code nodeward_node_writes_total}. */
    static WriteMeters ofNodes(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.node.writes", "Changes of Nodes by what became of them");
    }

    /** {@code nodeward_declared_taints_writes_total}. */
    static WriteMeters ofTaintLists(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.declared.taints.writes",
                "Writes of taints declared for others by what became of them");
    }

    /** {@code nodeward_annotation_writes_total}. */
    static WriteMeters ofAnnotations(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.annotation.writes",
                "Writes of annotations of owners of Nodes by what became of them");
    }

    /** {@code nodeward_object_writes_total}. */
    static WriteMeters ofObjects(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.object.writes",
                "Changes of objects of other kinds by what became of them");
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String result) {
        return Counter.builder(name).tag("result", result).description(description).register(registry);
    }
}
