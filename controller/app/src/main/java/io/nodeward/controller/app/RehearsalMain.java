package io.nodeward.controller.app;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs the controller once with each backend: says {@code rehearsal of <backend>}, and goes on when a line comes on
 * standard input. What a JVM records an AOT cache from that serves whichever backend is chosen.
 */
final class RehearsalMain {
    private RehearsalMain() {}

    public static void main(String[] args) throws IOException {
        Logging.configure("info", "text");
        for (String backend : Backends.names()) {
            String[] all = Arrays.copyOf(args, args.length + 1);
            all[args.length] = "--backend=" + backend;
            try (Nodeward running = Nodeward.start(all)) {
                System.out.println("rehearsal of " + backend);
                awaitLine();
            }
        }
    }

    private static void awaitLine() throws IOException {
        for (int read = System.in.read(); read != '\n' && read >= 0;) {
            read = System.in.read();
        }
    }
}
