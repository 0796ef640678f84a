package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.connect.RefusedAddressException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs and counts why API servers of workload clusters cannot be used. A condition does not say it: a user who may
 * write a kubeconfig Secret would read from the condition which hosts and ports answer Nodeward.
 */
final class ClusterFailures {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterFailures.class);

    private final Map<Cause, Counter> counters = new EnumMap<>(Cause.class);

    /** All that the log and the metric tell of a failure. */
    enum Cause {
        ADDRESS_REFUSED, NAME_NOT_FOUND, CONNECTION_REFUSED, TIMEOUT, TLS, CONNECTION_LOST, SERVER_ERROR, UNAUTHORIZED,
        FORBIDDEN, REQUEST_REFUSED;

        static Cause of(ApiFailure failure) {
            int code = failure.status().code();
            return switch (failure) {
                case ApiFailure.Unauthorized f -> UNAUTHORIZED;
                case ApiFailure.Forbidden f -> FORBIDDEN;
                case ApiFailure.Unreachable f -> code == 0 ? unanswered(f) : SERVER_ERROR;
                default -> REQUEST_REFUSED;
            };
        }

        private static Cause unanswered(ApiFailure failure) {
            String why = failure.status().message();
            if (failure.getCause() instanceof RefusedAddressException) {
                return ADDRESS_REFUSED;
            }
            return why.startsWith("host not found") ? NAME_NOT_FOUND
                    : why.startsWith("connection refused") ? CONNECTION_REFUSED
                    : why.startsWith("TLS") ? TLS
                    : why.matches("(?s)no (answer|connection) .*") ? TIMEOUT : CONNECTION_LOST;
        }

        /** Returns the value of the metric's label. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    ClusterFailures(MeterRegistry registry) {
        for (Cause cause : Cause.values()) {
            counters.put(cause, Counter.builder("nodeward.clusters.failures").tag("cause", cause.text())
                    .description("Times that the API server of a workload cluster could not be used, for another cause"
                            + " than before")
                    .register(registry));
        }
    }

    void failed(ObjectKey cluster, Cause cause) {
        Objects.requireNonNull(counters.get(cause)).increment();
        LOG.atInfo().addKeyValue("Cluster", cluster).addKeyValue("cause", cause.text())
                .log("the API server cannot be used");
    }
}
