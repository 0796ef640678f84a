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
        RootFilesystem root = new RootFilesystem(staging.resolve("root"));
        SortedMap<String, String> packages = root.fill(checkout);
        String sbom = sbom(checkout, packages);
        root.write(Sbom.PATH, sbom);
        Files.writeString(directory.resolve("nodeward.cdx.json"), sbom);
        root.settle();
        if (!withoutCache) {
            AotCache.record(checkout, root);
            root.settle();
        }
        Archives archives = new Archives(checkout, root, staging.resolve("cache"));
        archives.write(directory.resolve("nodeward-oci.tar"), ImageFormat.OCI);
        archives.write(directory.resolve("nodeward-docker.tar"), ImageFormat.Docker);
    }

    private static String sbom(Checkout checkout, SortedMap<String, String> packages) throws IOException {
        Path app = checkout.directory().resolve("controller/app/target");
        Sbom sbom = new Sbom(checkout.tag());
        for (MavenJar jar : MavenJar.of(checkout.jars("controller/app"),
                Files.readAllLines(app.resolve("dependencies.txt")))) {
            sbom.jar(jar);
        }
        sbom.runtime(checkout.jdk().resolve("release"));
        sbom.packages(packages, RootFilesystem.RELEASE);
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
