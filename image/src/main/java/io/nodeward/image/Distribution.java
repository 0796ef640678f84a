package io.nodeward.image;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./nodeward dist}. */
@Command(name = "nodeward dist", description = "Packs the command as a plugin of kubectl: " + Distribution.LINUX
        + ", which has a Java runtime, " + Distribution.JAVA
        + " for other systems, which needs Java 25, their checksums, and nodeward.yaml, the manifest for krew.")
public final class Distribution implements Callable<Integer> {
    static final String LINUX = "kubectl-nodeward-linux-amd64.tar.gz";
    static final String JAVA = "kubectl-nodeward-java.tar.gz";

    private static final String MODULE = "cli";
    private static final String KREW = "deploy/krew";
    private static final String MANIFEST = "nodeward.yaml";
    private static final String WINDOWS = "kubectl-nodeward.bat";
    private static final String ORIGIN = "apt-get install tar gzip";

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Says this.")
    private boolean help;

    @Option(names = "--output", paramLabel = "DIR", description = "Folder for the files; by default image/target.")
    private @Nullable Path output;

    @Option(names = "--release", paramLabel = "VERSION", description = "As v1.2.3; by default that of the checkout.")
    private @Nullable String release;

    @Option(names = "--url", paramLabel = "URL", description = "Folder from which krew will download the archives; without it, the manifest has a placeholder.")
    private @Nullable URI url;

    @Spec
    private @Nullable CommandSpec spec;

    private Distribution() {}

    public static void main(String[] arguments) {
        System.exit(Main.execute(new Distribution(), arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (spec != null && release != null && !release.matches("v\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?")) {
            throw new ParameterException(spec.commandLine(), "'" + release + "' is no version such as v1.2.3");
        }
        Main.requireAmd64("the plugin");
        Checkout checkout = Checkout.ofProperties();
        Path target = checkout.directory().resolve("image/target");
        Path staging = Files.createTempDirectory(target, "staging");
        try {
            build(checkout, staging, Files.createDirectories(output == null ? target : output));
        } finally {
            Main.delete(staging);
        }
        return 0;
    }

    private void build(Checkout checkout, Path staging, Path directory) throws IOException {
        String version = release == null ? "v" + checkout.tag() : release;
        stage(checkout, version, staging);
        Map<String, String> checksums = new TreeMap<>();
        checksums.put(JAVA, pack(checkout, staging, directory.resolve(JAVA)));

        Files.delete(staging.resolve(WINDOWS));
        Path runtime = staging.resolve("runtime");
        JavaRuntime.link(checkout.jdk(), Optional.empty(), JavaRuntime.modules(checkout.jdk(), checkout.jars(MODULE)),
                runtime);
        TrustStore.write(TrustStore.AUTHORITIES, runtime.resolve("lib/security/cacerts"));
        checksums.put(LINUX, pack(checkout, staging, directory.resolve(LINUX)));

        String template = Files.readString(checkout.directory().resolve(KREW).resolve(MANIFEST));
        Files.writeString(directory.resolve(MANIFEST), manifest(template, version, url, checksums));
    }

    /** What both archives have. The launcher finds its jars where a checkout has them. */
    private static void stage(Checkout checkout, String version, Path staging) throws IOException {
        Path root = checkout.directory();
        Path jars = Files.createDirectories(staging.resolve(MODULE).resolve("target/lib"));
        for (Path jar : checkout.jars(MODULE)) {
            Files.copy(jar, jars.resolve(jar.getFileName()));
        }
        for (String name : List.of("nodeward", "kubectl-nodeward")) { // no link: krew unpacks none
            Files.copy(root.resolve("nodeward"), staging.resolve(name));
        }
        for (String name : List.of("kubectl_complete-nodeward", WINDOWS)) {
            Files.copy(root.resolve(KREW).resolve(name), staging.resolve(name));
        }
        Files.copy(root.resolve("LICENSE"), staging.resolve("LICENSE"));
        String commit = checkout.revision().replaceFirst("^([0-9a-f]{10})[0-9a-f]*", "$1");
        Files.writeString(staging.resolve("VERSION"), version + " (" + commit + ")\n");
    }

    /** Makes the same bytes each time. Returns the checksum, which is in a file beside the archive. */
    private static String pack(Checkout checkout, Path staging, Path archive) throws IOException {
        List<String> command = new ArrayList<>(List.of("tar", "--create", "--gzip", "--file", archive.toString(),
                "--format=ustar", "--sort=name", "--mtime=@" + checkout.created().getEpochSecond(), "--owner=0",
                "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--dereference", "--hard-dereference",
                "--directory=" + staging));
        try (Stream<Path> files = Files.list(staging)) {
            files.map(file -> file.getFileName().toString()).sorted().forEach(command::add);
        }
        Program.run(ORIGIN, command);
        String checksum = Sbom.sha256(archive);
        Files.writeString(archive.resolveSibling(archive.getFileName() + ".sha256"),
                checksum + "  " + archive.getFileName() + "\n");
        return checksum;
    }

    /**
     * Fills in what is known.
     *
     * @param checksums of archives, by name
     */
    static String manifest(String template, String version, @Nullable URI url, Map<String, String> checksums) {
        String manifest = template.lines().filter(line -> !line.startsWith("#"))
                .collect(Collectors.joining("\n", "", "\n")).replace("{{ .TagName }}", version);
        for (Map.Entry<String, String> checksum : checksums.entrySet()) {
            manifest = manifest.replace("{{ .Sha256 " + checksum.getKey() + " }}", checksum.getValue());
        }
        return url == null ? manifest : manifest.replace("{{ .Url }}", url.toString().replaceFirst("/$", ""));
    }
}
