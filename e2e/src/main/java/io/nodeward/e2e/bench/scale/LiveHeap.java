package io.nodeward.e2e.bench.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of a process, in MiB.
 *
 * @param peak the most that was ever resident
 * @param resident now
 */
record UsedMemory(double peak, double resident) {
    private static final double MEBI = 1024 * 1024;
    private static final Pattern USED = Pattern.compile("(?:def new generation|DefNew|tenured|Tenured|garbage-first)"
            + ".*?used (\\d+)K", Pattern.CASE_INSENSITIVE);

    static UsedMemory of(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try {
            List<String> lines = Files.readAllLines(status);
            return new UsedMemory(mebibytes(lines, "VmHWM:"), mebibytes(lines, "VmRSS:"));
        } catch (IOException e) {
            throw new UncheckedIOException(status + " cannot be read; memory is measured on Linux", e);
        }
    }

    private static double mebibytes(List<String> lines, String key) {
        return lines.stream().filter(line -> line.startsWith(key))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + key));
    }

    /** What a JVM's heap still holds after full collections. */
    static double liveHeap(long pid) {
        jcmd(pid, "GC.run");
        jcmd(pid, "GC.run"); // what cleaners let go of in between
        return heap(jcmd(pid, "GC.heap_info"));
    }

    static double heap(String heapInfo) {
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
        return kibibytes * 1024 / MEBI;
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
