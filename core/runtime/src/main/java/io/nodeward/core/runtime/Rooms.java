package io.nodeward.core.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens to all rooms of a process together. */
public final class Rooms {
    private static final Logger LOG = LoggerFactory.getLogger(Rooms.class);

    private Rooms() {}

    /**
     * Ends them within one time for all: none takes on anything while another finishes the write in hand.
     *
     * @param patience from now on; who was not finished by then is logged
     */
    public static void stop(Collection<Room> rooms, Duration patience, InstantSource clock)
            throws InterruptedException {
        Instant end = clock.instant().plus(patience);
        rooms.forEach(Room::retire);
        for (Room room : rooms) {
            Duration left = Duration.between(clock.instant(), end);
            if (!room.stop(left.isNegative() ? Duration.ZERO : left)) {
                LOG.warn("{}: a write was not answered within {} s", room.name(), patience.toSeconds());
            }
        }
    }
}
