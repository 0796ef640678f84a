package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As {@link NativeLibraries}, of programs that this machine cannot run. */
record ForeignLibraries(Packages packages) {
    private static final String ORIGIN = "apt-get install binutils";
    private static final Pattern NEEDED = Pattern.compile(
            ".*(?:\\(NEEDED\\)\\s+Shared library: \\[|\\[Requesting program interpreter: )([^]]+)]");
    /** Where Debian's loader looks for one that has no path. */
    private static final List<String> FOLDERS = List.of("/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib",
            "/usr/lib");

    SortedSet<Path> of(Path folder) throws IOException {
        List<Path> programs = NativeLibraries.programs(folder);
        Set<String> own = programs.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        Deque<Path> open = new ArrayDeque<>(programs);
        SortedSet<Path> libraries = new TreeSet<>();
        while (!open.isEmpty()) {
            for (Path library : needed(Program.run(ORIGIN, List.of("readelf", "-dlW", open.pop().toString())), own)) {
                List<Path> more = new ArrayList<>(List.of(library));
                NativeLibraries.NAME_SERVICES.stream().map(library::resolveSibling)
                        .filter(file -> Files.exists(packages.file(file))).forEach(more::add);
                more.stream().filter(libraries::add).map(packages::file).forEach(open::add);
            }
        }
        return libraries;
    }

    /** @param own names of libraries in the folder */
    private List<Path> needed(String elf, Set<String> own) {
        return elf.lines().map(NEEDED::matcher).filter(Matcher::matches).map(line -> line.group(1))
                .filter(name -> !own.contains(name)).map(this::find).toList();
    }

    private Path find(String name) {
        return FOLDERS.stream().map(folder -> Path.of(folder).resolve(name)) // a path stays as it is
                .filter(file -> Files.exists(packages.file(file))).findFirst()
                .orElseThrow(() -> new ImageException("the runtime needs " + name + ", which no package has"));
    }
}
