package io.nodeward.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The libraries of the distribution that a folder of programs needs. */
final class NativeLibraries {
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final String ORIGIN = "apt-get install libc-bin";
    private static final Pattern NEEDED =
            Pattern.compile("\\s*(?:(\\S+) => )?(/\\S+|not found)(?: \\(0x[0-9a-f]+\\))?");
    /** Which the C library opens by name to resolve a host. */
    static final List<String> NAME_SERVICES = List.of("libnss_files.so.2", "libnss_dns.so.2");

    private NativeLibraries() {}

    /** Files outside the folder, by the names under which the loader looks for them. */
    static SortedSet<Path> of(Path folder) throws IOException {
        List<Path> programs = programs(folder);
        Set<String> own = programs.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        SortedSet<Path> libraries = new TreeSet<>();
        for (Path program : programs) {
            libraries.addAll(needed(ldd(program), folder, own));
        }
        List<Path> services = new ArrayList<>();
        for (Path library : libraries) {
            NAME_SERVICES.stream().map(library::resolveSibling).filter(Files::exists).forEach(services::add);
        }
        for (Path service : services) {
            libraries.add(service);
            libraries.addAll(needed(ldd(service), folder, own));
        }
        return libraries;
    }

    /**
     * Reads what {@code ldd} prints.
     *
     * @param own names of libraries in the folder: a library of a JDK does not say where the JVM's is, which loaded it
     */
    static SortedSet<Path> needed(String ldd, Path folder, Set<String> own) {
        SortedSet<Path> needed = new TreeSet<>();
        for (Matcher line : ldd.lines().map(NEEDED::matcher).filter(Matcher::matches).toList()) {
            Path file = Path.of(line.group(2)).normalize();
            if (line.group(2).equals("not found")) {
                if (!own.contains(line.group(1))) {
                    throw new ImageException(
                            "the runtime needs " + line.group(1) + ", which this machine does not have");
                }
            } else if (!file.startsWith(folder)) {
                needed.add(file);
            }
        }
        return needed;
    }

    private static String ldd(Path program) {
        return Program.run(ORIGIN, List.of("ldd", program.toString()));
    }

    static List<Path> programs(Path folder) throws IOException {
        List<Path> programs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                try (InputStream content = Files.newInputStream(file)) {
                    if (Arrays.equals(content.readNBytes(ELF.length), ELF)) {
                        programs.add(file);
                    }
                }
            }
        }
        return programs;
    }
}
