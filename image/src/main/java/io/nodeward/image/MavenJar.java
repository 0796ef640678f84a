package io.nodeward.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A jar with its coordinates: not every jar says them itself. */
record MavenJar(String group, String name, String version, Path file) {
    /** Of {@code mvn dependency:list}. */
    private static final Pattern DEPENDENCY = Pattern.compile(
            "\\s+([^:\\s]+):([^:]+):jar:(?:([^:]+):)?([^:]+):(?:compile|runtime)(?: .*)?");
    private static final Pattern CONTROLLER = Pattern.compile("(nodeward-controller-app)-(\\d.*)\\.jar");

    /**
     * Coordinates of these jars.
     *
     * @param dependencies of the controller: all but itself
     */
    static List<MavenJar> of(List<Path> jars, List<String> dependencies) {
        Map<String, MavenJar> known = dependencies.stream().map(DEPENDENCY::matcher).filter(Matcher::matches)
                .map(MavenJar::dependency).collect(Collectors.toMap(jar -> jar.file.toString(), jar -> jar));
        return jars.stream().map(file -> {
            MavenJar jar = known.get(file.getFileName().toString());
            return jar == null ? controller(file) : new MavenJar(jar.group, jar.name, jar.version, file);
        }).toList();
    }

    private static MavenJar dependency(Matcher line) {
        String classifier = line.group(3) == null ? "" : "-" + line.group(3);
        return new MavenJar(line.group(1), line.group(2), line.group(4),
                Path.of(line.group(2) + "-" + line.group(4) + classifier + ".jar"));
    }

    private static MavenJar controller(Path file) {
        Matcher name = CONTROLLER.matcher(file.getFileName().toString());
        if (!name.matches()) {
            throw new ImageException("no dependency of the controller is " + file);
        }
        return new MavenJar("io.nodeward", name.group(1), name.group(2), file);
    }

    String purl() {
        return "pkg:maven/" + group + "/" + name + "@" + version + "?type=jar";
    }
}
