package io.nodeward.e2e.bench.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM's heap still holds after full collections. */
final class LiveHeap {
    private static final double KIB_PER_MIB = 1024;
    private static final Pattern USED = Pattern.compile("(?:def new generation|DefNew|tenured|Tenured|garbage-first)"
            + ".*?used (\\d+)K", Pattern.CASE_INSENSITIVE);

    private LiveHeap() {}

    /** MiB. */
    static double of(long pid) {
        jcmd(pid, "GC.run");
        jcmd(pid, "GC.run"); // what cleaners let go of in between
        return used(jcmd(pid, "GC.heap_info"));
    }

    static double used(String heapInfo) {
        Matcher used = USED.matcher(heapInfo);
        long kibibytes = 0;
        boolean found = false;
        while (used.find()) {
            kibibytes += Long.parseLong(used.group(1));
            found = true;
        }
        if (!found) {
            throw new IllegalStateException("no heap in: " + heapInfo);
        }
        return kibibytes / KIB_PER_MIB;
    }

    private static String jcmd(long pid, String command) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process process = new ProcessBuilder(jcmd, Long.toString(pid), command).redirectErrorStream(true).start();
            try (BufferedReader out = new BufferedReader(
                    new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                return String.join("\n", out.lines().toList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(jcmd + " is part of a JDK, and needed to measure the heap", e);
        }
    }
}
