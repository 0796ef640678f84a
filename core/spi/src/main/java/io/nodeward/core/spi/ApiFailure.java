package io.nodeward.core.spi;

import io.nodeward.api.meta.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Why an API server did not do what it was asked. One type per thing a caller does about it; each carries the server's
 * {@code Status.reason}.
 */
public abstract sealed class ApiFailure extends RuntimeException {
    /** Seconds. A server, or what stands before it, must not park a cluster for days. */
    private static final int LONGEST_RETRY_AFTER = 120;

    private final transient Status status;

    private ApiFailure(Status status, String doing, @org.jspecify.annotations.Nullable Throwable cause) {
        super(doing + ": " + answer(status) + status.message(), cause);
        this.status = status;
    }

    private static String answer(Status status) {
        return status.code() == 0 ? "" : status.code() + " " + status.reason() + ": ";
    }

    public Status status() {
        return status;
    }

    /** 409, or a JSON patch that does not fit: the object is not as expected any more. Take the newer and plan again. */
    public static final class Conflict extends ApiFailure {
        private Conflict(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 409: an object of this name is there already. */
    public static final class AlreadyExists extends ApiFailure {
        private AlreadyExists(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 404 of an object: it is gone. */
    public static final class NotFound extends ApiFailure {
        private NotFound(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 404 of a kind, 405 or 406: this server does not serve what was asked, whichever object. */
    public static final class NotServed extends ApiFailure {
        private NotServed(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 410: the resourceVersion or continue token is too old. List again. */
    public static final class Expired extends ApiFailure {
        private Expired(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 429: the server has enough; wait as told. */
    public static final class Throttled extends ApiFailure {
        private final transient Optional<Duration> retryAfter;

        private Throttled(Status status, String doing, Optional<Duration> retryAfter) {
            super(status, doing, null);
            this.retryAfter = retryAfter;
        }

        public Optional<Duration> retryAfter() {
            return retryAfter;
        }
    }

    /** 401: the credentials are not accepted (any more). */
    public static final class Unauthorized extends ApiFailure {
        private Unauthorized(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 403: logged in, and not allowed. */
    public static final class Forbidden extends ApiFailure {
        private Forbidden(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** 400, 413, 415, other 422 and other 4xx: the same request is refused again; something must change first. */
    public static final class Rejected extends ApiFailure {
        private Rejected(Status status, String doing) {
            super(status, doing, null);
        }
    }

    /** No answer, a cut one, or a 5xx: try again later. {@link #status()} has code 0 if there was no answer. */
    public static final class Unreachable extends ApiFailure {
        private Unreachable(Status status, String doing, @org.jspecify.annotations.Nullable Throwable cause) {
            super(status, doing, cause);
        }
    }

    /** Nothing was sent: the process that asks holds back its writes. Plan again when that is over. */
    public static sealed class Paused extends ApiFailure permits NotLeading {
        private final transient Consumer<Runnable> whenOver;

        private Paused(Status status, String doing, Consumer<Runnable> whenOver) {
            super(status, doing, null);
            this.whenOver = whenOver;
        }

        /** Runs the task once when writes are sent again: at once, if they are by now. It must not block. */
        public void whenOver(Runnable task) {
            whenOver.accept(task);
        }
    }

    /** Nothing was sent: another process leads, and writes this, or none does yet. */
    public static final class NotLeading extends Paused {
        private NotLeading(Status status, String doing, Consumer<Runnable> whenOver) {
            super(status, doing, whenOver);
        }
    }

    /**
     * Returns the failure of a write that waits until this process leads.
     *
     * @param whenOver runs a task once when this process leads
     */
    public static NotLeading notLeading(String doing, String why, Consumer<Runnable> whenOver) {
        return new NotLeading(new Status(0, "", why, 0), doing, whenOver);
    }

    /**
     * Returns the failure of a request that was not sent.
     *
     * @param whenOver runs a task once when requests are sent again
     */
    public static Paused paused(String doing, String why, Consumer<Runnable> whenOver) {
        return new Paused(new Status(0, "", why, 0), doing, whenOver);
    }

    /** A failure without an answer. {@code why} must not hold a credential. */
    public static Unreachable unreachable(String doing, String why, Throwable cause) {
        return new Unreachable(new Status(0, "", why, 0), doing, cause);
    }

    /**
     * The one table from answers to failures.
     *
     * @param doing the request in words, for example {@code PATCH /api/v1/nodes/a}
     * @param retryAfterHeader as sent; only seconds are understood, as API servers send nothing else
     */
    public static ApiFailure of(Status status, String doing, Optional<String> retryAfterHeader) {
        return switch (status.code()) {
            case 401 -> new Unauthorized(status, doing);
            case 403 -> new Forbidden(status, doing);
            case 404 -> isAboutObject(status) ? new NotFound(status, doing) : new NotServed(status, doing);
            case 405, 406 -> new NotServed(status, doing);
            case 409 -> "AlreadyExists".equals(status.reason()) ? new AlreadyExists(status, doing)
                    : new Conflict(status, doing);
            case 410 -> new Expired(status, doing);
            case 422 -> isAboutPatch(status) ? new Conflict(status, doing) : new Rejected(status, doing);
            case 429 -> new Throttled(status, doing, retryAfter(status, retryAfterHeader));
            default -> status.code() >= 500 ? new Unreachable(status, doing, null) : new Rejected(status, doing);
        };
    }

    // The generic 404 of a path nobody serves has no Status, or one that names no object.
    private static boolean isAboutObject(Status status) {
        return "NotFound".equals(status.reason())
                && !status.message().startsWith("the server could not find the requested resource");
    }

    // All that a server says of a JSON patch with a test that fails or a path that is not there; what is wrong with an
    // object is told.
    private static boolean isAboutPatch(Status status) {
        return "the server rejected our request due to an error in our request".equals(status.message());
    }

    private static Optional<Duration> retryAfter(Status status, Optional<String> header) {
        return header.filter(h -> h.matches("[0-9]{1,6}"))
                .map(Integer::valueOf)
                .or(() -> status.retryAfterSeconds() > 0 ? Optional.of(status.retryAfterSeconds()) : Optional.empty())
                .map(seconds -> Duration.ofSeconds(Math.min(seconds, LONGEST_RETRY_AFTER)));
    }
}
