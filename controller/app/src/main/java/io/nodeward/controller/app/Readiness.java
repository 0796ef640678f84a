package io.nodeward.controller.app;

import io.nodeward.core.runtime.Room;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Whether the process does its work, as its readiness probe is told. */
final class Readiness {
    private final BooleanSupplier synced;
    private final List<Room> rooms;
    private volatile boolean ending;

    /** @param synced whether the management cluster's caches are filled */
    Readiness(BooleanSupplier synced, Collection<Room> rooms) {
        this.synced = synced;
        this.rooms = List.copyOf(rooms);
    }

    /** From now on it is not ready, so that nobody new is sent here. */
    void end() {
        ending = true;
    }

    /** What is missing; empty if nothing is. */
    Optional<String> missing() {
        if (ending) {
            return Optional.of("it is stopping");
        }
        if (!synced.getAsBoolean()) {
            return Optional.of("the management cluster's caches are not filled yet");
        }
        return rooms.stream().map(Room::unready).flatMap(Optional::stream).findFirst();
    }
}
