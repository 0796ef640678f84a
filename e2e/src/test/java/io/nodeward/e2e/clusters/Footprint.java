package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a controller takes.
 *
 * @param heap bytes of it that can be reached
 * @param resident bytes of the process
 * @param cpuNanos used since its start
 * @param threads by name, numbers and addresses left out; the JVM's own, which come and go, are not among them
 * @param descriptors by kind, but those of {@code connections}
 * @param connections by the port they lead to
 */
record Footprint(
        long heap,
        long resident,
        long cpuNanos,
        Map<String, Integer> threads,
        Map<String, Integer> descriptors,
        Map<Integer, Integer> connections) {
    private static final long TOLERANCE = 2 << 20;
    /** Of a thread in a dump: {@code #12 "name" virtual}, in newer JDKs with more words. */
    private static final Pattern THREAD = Pattern.compile("^#\\d+ \"(.*?)\"(.*)$");
    /** The JVM's own, and one for each task of an HTTP client or request to an HTTP server. */
    private static final Pattern FLEETING =
            Pattern.compile("ForkJoinPool.*|.*-Poller|VirtualThread-un.*|Attach Listener"
                    + "|Cleaner-.*|nodeward-fabric8|nodeward-endpoint|nodeward-https|");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final int ESTABLISHED = 1;
    private static final int CLOSE_WAIT = 8;

    /** @param dump of the threads, as plain text */
    static Footprint of(long pid, long heap, long cpuNanos, Path dump) throws IOException {
        Path proc = Path.of("/proc", Long.toString(pid));
        if (!Files.isDirectory(proc)) {
            throw new IllegalStateException("no " + proc + "; descriptors are counted there, so run this on Linux");
        }
        Map<String, Integer> peers = peers(proc);
        Map<String, Integer> descriptors = new TreeMap<>();
        Map<Integer, Integer> connections = new TreeMap<>();
        for (String descriptor : descriptors(proc)) {
            Matcher socket = SOCKET.matcher(descriptor);
            Integer port = socket.matches() ? peers.get(socket.group(1)) : null;
            if (port == null) {
                descriptors.merge(descriptor.startsWith("/") ? "file" : descriptor.replaceFirst(":\\[?\\d+]?", ""), 1,
                        Integer::sum);
            } else {
                connections.merge(port, 1, Integer::sum);
            }
        }
        return new Footprint(heap, resident(proc), cpuNanos, threads(dump), descriptors, connections);
    }

    private static Map<String, Integer> threads(Path dump) throws IOException {
        Map<String, Integer> threads = new TreeMap<>();
        for (String line : Files.readAllLines(dump)) {
            Matcher thread = THREAD.matcher(line);
            if (thread.matches() && !FLEETING.matcher(thread.group(1)).matches()) {
                String kind = thread.group(2).contains("virtual") ? "virtual " : "platform ";
                threads.merge(kind + thread.group(1).replaceAll("@?[0-9a-f]*\\d[0-9a-f]*", "#"), 1, Integer::sum);
            }
        }
        return threads;
    }

    private static List<String> descriptors(Path proc) throws IOException {
        try (Stream<Path> all = Files.list(proc.resolve("fd"))) {
            return all.map(Footprint::target).filter(target -> !target.isEmpty()).toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    /** Port of the other end by inode of each connection. */
    private static Map<String, Integer> peers(Path proc) throws IOException {
        Map<String, Integer> peers = new TreeMap<>();
        for (String file : List.of("net/tcp", "net/tcp6")) {
            for (String line : Files.readAllLines(proc.resolve(file))) {
                String[] fields = line.strip().split("\\s+");
                if (fields[0].endsWith(":") && connected(Integer.parseInt(fields[3], 16))) {
                    peers.put(fields[9], Integer.parseInt(fields[2].substring(fields[2].indexOf(':') + 1), 16));
                }
            }
        }
        return peers;
    }

    private static boolean connected(int state) {
        return state == ESTABLISHED || state >= 4 && state <= CLOSE_WAIT;
    }

    private static long resident(Path proc) throws IOException {
        return Files.readAllLines(proc.resolve("status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    int connectionsTo(List<Integer> ports) {
        return ports.stream().mapToInt(port -> connections.getOrDefault(port, 0)).sum();
    }

    /** It is not more than {@code least}; pools of the management cluster's connections may breathe. */
    void assertNoMoreThan(Footprint least, List<Integer> workloadPorts) {
        assertThat(more(threads, least.threads)).as("threads that were not there before").isEmpty();
        assertThat(more(descriptors, least.descriptors)).as("descriptors that were not there before").isEmpty();
        assertThat(connectionsTo(workloadPorts)).as("connections").isEqualTo(least.connectionsTo(workloadPorts));
        assertThat(heap).as(() -> "live heap, bytes; before " + least + ", now " + this)
                .isLessThan(least.heap + TOLERANCE);
    }

    private static Map<String, Integer> more(Map<String, Integer> now, Map<String, Integer> before) {
        Map<String, Integer> more = new TreeMap<>(now);
        more.replaceAll((name, count) -> count - before.getOrDefault(name, 0));
        more.values().removeIf(count -> count <= 0);
        return more;
    }

    /** What is in both: after a burst some things take half a minute to go, and are not to be taken for normal. */
    Footprint least(Footprint other) {
        return new Footprint(Math.min(heap, other.heap), Math.min(resident, other.resident), cpuNanos,
                least(threads, other.threads), least(descriptors, other.descriptors), connections);
    }

    private static Map<String, Integer> least(Map<String, Integer> some, Map<String, Integer> others) {
        Map<String, Integer> least = new TreeMap<>(some);
        least.replaceAll((name, count) -> Math.min(count, others.getOrDefault(name, 0)));
        return least;
    }

    @Override
    public String toString() {
        int all = threads.values().stream().mapToInt(i -> i).sum();
        int virtual = threads.entrySet().stream().filter(t -> t.getKey().startsWith("virtual"))
                .mapToInt(Map.Entry::getValue).sum();
        int open = descriptors.values().stream().mapToInt(i -> i).sum();
        int connected = connections.values().stream().mapToInt(i -> i).sum();
        return "live heap %,d KB, RSS %,d KB, %d platform, %d virtual threads, %d descriptors (%d of connections) %s%s"
                .formatted(heap >> 10, resident >> 10, all - virtual, virtual, open + connected, connected, descriptors,
                        threads.entrySet().stream().map(Object::toString).collect(Collectors.joining("; ", " [", "]")));
    }
}
