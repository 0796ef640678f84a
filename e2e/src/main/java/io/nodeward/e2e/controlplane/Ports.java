package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Free ports on loopback. They are below those that systems take for connections: until a server listens, a client of
 * another suite could have been given its port.
 */
public final class Ports {
    private static final int FIRST = 12_000;
    private static final int BEHIND = 32_768;
    /** Of those who have not begun to listen yet, too. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    public static int free() {
        return free(1).getFirst();
    }

    /** Different ones, each given once in a process. */
    public static List<Integer> free(int count) {
        return Stream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, BEHIND)).limit(BEHIND)
                .filter(port -> isFree(port) && GIVEN.add(port)).limit(count).toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
