package io.nodeward.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Queue;

/** Lines as they are typed; the end of input is "q". */
final class Keyboard {
    private Keyboard() {}

    /** Reads until the JVM ends: a thread that waits for a terminal cannot be told to stop. */
    static void listen(InputStream in, Queue<? super Happening.Typed> lines) {
        Thread.ofPlatform().daemon().name("demo-keyboard").start(() -> {
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset()));
            try {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(new Happening.Typed(line));
                }
            } catch (IOException e) {
                // No more to be read, as at the end.
            }
            lines.add(new Happening.Typed("q"));
        });
    }
}
