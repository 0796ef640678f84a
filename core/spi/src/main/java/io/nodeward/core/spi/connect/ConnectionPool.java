package io.nodeward.core.spi.connect;

/** A client of some library with connections of its own. */
public interface ConnectionPool extends AutoCloseable {
    /** Takes no more calls, and ends when those in flight have. */
    void retire();

    /** Whether a retired one has ended. */
    boolean isOver();

    /** Ends all that is in flight. */
    @Override
    void close();
}
