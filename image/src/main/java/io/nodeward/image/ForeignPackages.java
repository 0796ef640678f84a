package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Packages for arm64, unpacked in a folder and run by nobody. This machine's apt has them from where it has its own. */
final class ForeignPackages implements Packages {
    private static final String ORIGIN = "the arm64 image is made of Debian's packages, with apt and dpkg-deb";
    /** The first Debian with a JDK 25. */
    private static final String SUITE = "trixie";
    /** Debian's links of folders are in the first, so it is unpacked before all others. */
    private static final List<String> NAMES = List.of("base-files", "ca-certificates", "libc6", "libgcc-s1",
            "libstdc++6", "openjdk-25-jdk-headless", "openjdk-25-jre-headless", "zlib1g");
    private static final String JDK = "usr/lib/jvm/java-25-openjdk-arm64";
    private static final Pattern DOWNLOAD = Pattern.compile("'\\S+' (([^_\\s]+)_\\S+\\.deb) \\d+ \\S+");
    private static final Pattern SOURCE = Pattern.compile("(\\S+) [a-z]+(-security|-updates)?");

    private final Path root;
    /** By path in the root. */
    private final Map<Path, Path> owners = new HashMap<>();

    private ForeignPackages(Path root) {
        this.root = root;
    }

    /**
     * Downloads and unpacks them.
     *
     * @param cache keeps what was downloaded
     * @param root an empty folder
     */
    static ForeignPackages fetch(Path cache, Path root) throws IOException {
        return unpack(download(cache), root);
    }

    static ForeignPackages unpack(List<Path> archives, Path root) throws IOException {
        ForeignPackages packages = new ForeignPackages(root.toRealPath());
        for (Path archive : archives) {
            String files = Program.run(ORIGIN,
                    List.of("dpkg-deb", "--vextract", archive.toString(), root.toString()));
            files.lines().forEach(file -> packages.owners.put(Path.of(file).normalize(), archive));
        }
        return packages;
    }

    private static List<Path> download(Path cache) throws IOException {
        String sources = Program.run(ORIGIN, List.of("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
                "Created-By: Packages", "Origin: Debian", "Component: main"));
        Path configuration = configure(cache.toAbsolutePath(), sources(sources));
        Program.run(ORIGIN, List.of("apt-get", "-c", configuration.toString(), "update"));
        Map<String, String> archives = archives(
                Program.run(ORIGIN, get(configuration, cache.resolve("empty"), "--print-uris")));
        Program.run(ORIGIN, get(configuration, cache, "--quiet"));
        return NAMES.stream().map(name -> cache.resolve(archives.get(name))).toList();
    }

    /** Of what is in the folder, it neither says nor gets anything. */
    private static List<String> get(Path configuration, Path folder, String option) {
        List<String> command = new ArrayList<>(List.of("env", "--chdir=" + folder, "apt-get", "-c",
                configuration.toString(), "download", option));
        command.addAll(NAMES);
        return command;
    }

    /** Nothing of this machine's apt is written, and nothing of it is read but how it reaches its sources. */
    private static Path configure(Path cache, String sources) throws IOException {
        for (String folder : List.of("lists/partial", "archives/partial", "empty")) {
            Files.createDirectories(cache.resolve(folder));
        }
        Files.writeString(cache.resolve("status"), "");
        Files.writeString(cache.resolve("sources.list"), sources);
        return Files.writeString(cache.resolve("apt.conf"), """
                #clear APT::Update;
                #clear DPkg;
                APT::Architecture "arm64";
                APT::Architectures { "arm64"; };
                APT::Sandbox::User "";
                Dir::State "%1$s";
                Dir::State::Lists "%1$s/lists";
                Dir::State::status "%1$s/status";
                Dir::Cache "%1$s";
                Dir::Etc::SourceList "%1$s/sources.list";
                Dir::Etc::SourceParts "/dev/null";
                Dir::Etc::Preferences "/dev/null";
                Dir::Etc::PreferencesParts "/dev/null";
                """.formatted(cache));
    }

    /** Those of the machine, for another suite and architecture. */
    static String sources(String targets) {
        StringBuilder sources = new StringBuilder();
        for (Matcher target : targets.lines().distinct().map(SOURCE::matcher).filter(Matcher::matches).toList()) {
            sources.append("deb [arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ")
                    .append(target.group(1)).append(' ').append(SUITE)
                    .append(target.group(2) == null ? "" : target.group(2)).append(" main\n");
        }
        if (sources.isEmpty()) {
            throw new ImageException(ORIGIN + "; this machine's apt has no source of Debian:\n" + targets);
        }
        return sources.toString();
    }

    /** Files by package, of what {@code apt-get download --print-uris} prints. */
    static Map<String, String> archives(String uris) {
        Map<String, String> archives = new TreeMap<>();
        uris.lines().map(DOWNLOAD::matcher).filter(Matcher::matches)
                .forEach(line -> archives.put(line.group(2), line.group(1)));
        if (!archives.keySet().containsAll(NAMES)) {
            throw new ImageException("apt has not all of " + NAMES + ":\n" + uris);
        }
        return archives;
    }

    @Override
    public String architecture() {
        return "arm64";
    }

    @Override
    public Path file(Path path) {
        return root.resolve(path.toString().substring(1));
    }

    @Override
    public Optional<Path> jdk() {
        return Optional.of(root.resolve(JDK));
    }

    @Override
    public SortedSet<Path> libraries(Path runtime) throws IOException {
        return new ForeignLibraries(this).of(runtime);
    }

    @Override
    public SortedMap<String, String> stanzas(List<Path> files) throws IOException {
        SortedMap<String, String> stanzas = new TreeMap<>();
        for (Path file : files) {
            put(stanzas, root.relativize(file(file).toRealPath()));
        }
        put(stanzas, Path.of(JDK, "jmods")); // of which the runtime is linked
        return stanzas;
    }

    private void put(SortedMap<String, String> stanzas, Path file) throws IOException {
        Path archive = owners.get(file);
        if (archive == null) {
            throw new ImageException("no package owns " + file + ", so no scanner would know of it");
        }
        String stanza = Program.run(ORIGIN, List.of("dpkg-deb", "--show",
                "--showformat=" + DebianPackages.STANZA, archive.toString()));
        stanzas.put(DebianPackages.field(stanza, "Package"),
                stanza + DebianPackages.CHECKSUM + ": " + Sbom.sha256(archive) + "\n");
    }
}
