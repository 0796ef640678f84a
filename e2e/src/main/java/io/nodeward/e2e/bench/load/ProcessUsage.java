package io.nodeward.e2e.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** What Linux says a process has taken so far; empty for one that has ended, or on another system. */
public final class ProcessUsage {
    /** Linux counts CPU time for programs in this unit, whatever the kernel's own. */
    private static final double TICKS_PER_SECOND = 100;

    private static final double KIB_PER_MIB = 1024;
    /** Place of utime after the program's name, which may hold anything. */
    private static final int UTIME = 11;

    private ProcessUsage() {}

    /** Of the process itself without the programs it ran, in steps of 10 ms. */
    public static OptionalDouble cpuSeconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            double ticks = Double.parseDouble(fields[UTIME]) + Double.parseDouble(fields[UTIME + 1]);
            return OptionalDouble.of(ticks / TICKS_PER_SECOND);
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    /** Resident now. */
    public static OptionalDouble rssMib(long pid) {
        return status(pid, "VmRSS:");
    }

    /** The most that was ever resident. */
    public static OptionalDouble peakRssMib(long pid) {
        return status(pid, "VmHWM:");
    }

    private static OptionalDouble status(long pid, String field) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Double.parseDouble(line.substring(field.length()).replace("kB", "").strip()))
                    .map(kib -> kib / KIB_PER_MIB)
                    .findFirst();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }
}
