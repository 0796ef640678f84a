package io.nodeward.image;

import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./nodeward image}. */
@Command(name = "nodeward image", description = "Builds the image of the controller, without a container engine and without a registry: "
        + "nodeward-oci.tar (OCI layout), nodeward-docker.tar (for 'docker load') and nodeward.cdx.json (SBOM).")
public final class Main implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Says this.")
    private boolean help;

    @Option(names = "--output", paramLabel = "DIR", description = "Folder for the files; by default image/target.")
    private @Nullable Path output;

    @Option(names = "--no-aot", description = "Leave out the AOT cache, which needs the right to run in another root.")
    private boolean withoutCache;

    @Option(names = "--arch", paramLabel = "ARCH", description = "amd64, which is the default, or arm64: without an AOT cache, of packages of Debian that apt downloads, and with -arm64 in the names of the files.")
    private Architecture architecture = Architecture.amd64;

    private enum Architecture { // as users write it
        amd64, arm64
    }

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(execute(new Main(), arguments));
    }

    static int execute(Object command, String... arguments) {
        return new CommandLine(command).setExecutionExceptionHandler((exception, line, result) -> {
            if (!(exception instanceof ImageException)) {
                throw exception;
            }
            System.err.println(line.getCommandName() + ": " + exception.getMessage());
            return 1;
        }).execute(arguments);
    }

    /** All of it comes from this machine, and is tested on amd64 alone. */
    static void requireAmd64(String what) {
        String machine = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!machine.equals("Linux on amd64")) {
            throw new ImageException(what + " is built on Linux on amd64; this machine is " + machine);
        }
    }

    @Override
    public Integer call() throws IOException {
        requireAmd64("the image");
        Checkout checkout = Checkout.ofProperties();
        Path target = checkout.directory().resolve("image/target");
        Path staging = Files.createTempDirectory(target, "staging");
        try {
            build(checkout, staging, Files.createDirectories(output == null ? target : output));
        } finally {
            delete(staging);
        }
        return 0;
    }

    private void build(Checkout checkout, Path staging, Path directory) throws IOException {
        Packages packages = architecture == Architecture.amd64 ? new DebianPackages()
                : ForeignPackages.fetch(Files.createDirectories(checkout.directory().resolve("image/target/arm64")),
                        Files.createDirectory(staging.resolve("packages")));
        String suffix = architecture == Architecture.amd64 ? "" : "-" + architecture;
        RootFilesystem root = new RootFilesystem(staging.resolve("root"));
        String sbom = sbom(checkout, packages, root.fill(checkout, packages));
        root.write(Sbom.PATH, sbom);
        Files.writeString(directory.resolve("nodeward" + suffix + ".cdx.json"), sbom);
        root.settle();
        if (!withoutCache && architecture == Architecture.amd64) {
            AotCache.record(checkout, root);
            root.settle();
        }
        Archives archives = new Archives(checkout, root, packages.architecture(), staging.resolve("cache"));
        archives.write(directory.resolve("nodeward-oci" + suffix + ".tar"), ImageFormat.OCI);
        archives.write(directory.resolve("nodeward-docker" + suffix + ".tar"), ImageFormat.Docker);
    }

    private static String sbom(Checkout checkout, Packages packages, SortedMap<String, String> stanzas)
            throws IOException {
        Path app = checkout.directory().resolve("controller/app/target");
        Sbom sbom = new Sbom(checkout.tag());
        for (MavenJar jar : MavenJar.of(checkout.jars("controller/app"),
                Files.readAllLines(app.resolve("dependencies.txt")))) {
            sbom.jar(jar);
        }
        sbom.runtime(packages.jdk().orElse(checkout.jdk()));
        sbom.packages(stanzas, packages.file(RootFilesystem.RELEASE));
        return sbom.json();
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
