package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The image's files, laid out in a folder: it is run from there to record the AOT cache, and packed from there. */
record RootFilesystem(Path directory) {
    /** Of all files: the JVM refuses an AOT cache if those it was recorded from have another time. */
    static final Instant TIME = Instant.ofEpochSecond(1);
    static final String USER = "65532";
    static final String OPTIONS = "app/options";
    static final String MAIN = "io.nodeward.controller.app.Main";
    static final String REHEARSAL = "io.nodeward.controller.app.RehearsalMain";

    static final Path RELEASE = Path.of("/etc/os-release");
    /** Where a container engine mounts what the kernel has. */
    private static final List<String> MOUNT_POINTS = List.of("dev", "proc", "sys", "tmp");
    private static final Map<String, String> ACCOUNTS = Map.of(
            "etc/passwd", "root:x:0:0:root:/:/sbin/nologin\n"
                    + "nodeward:x:" + USER + ":" + USER + ":Nodeward:/:/sbin/nologin\n",
            "etc/group", "root:x:0:\nnodeward:x:" + USER + ":\n",
            "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");

    /** All but the SBOM and the AOT cache. Returns the stanzas of the packages that its files come from. */
    SortedMap<String, String> fill(Checkout checkout, Packages packages) throws IOException {
        Path runtime = directory.resolve("opt/java");
        Files.createDirectories(runtime.getParent());
        List<Path> jars = checkout.jars("controller/app");
        JavaRuntime.link(checkout.jdk(), packages.jdk(), JavaRuntime.modules(checkout.jdk(), jars), runtime);
        for (Path jar : jars) {
            copy(jar, "app/lib/" + jar.getFileName());
        }
        write(OPTIONS, options(checkout, jars));
        for (Map.Entry<String, String> file : ACCOUNTS.entrySet()) {
            write(file.getKey(), file.getValue());
        }
        for (String mountPoint : MOUNT_POINTS) {
            Files.createDirectories(directory.resolve(mountPoint));
        }
        Files.setPosixFilePermissions(directory.resolve("tmp"), PosixFilePermissions.fromString("rwxrwxrwx"));
        return add(packages, packages.libraries(runtime));
    }

    private SortedMap<String, String> add(Packages packages, Iterable<Path> libraries) throws IOException {
        List<Path> files = new ArrayList<>(List.of(RELEASE));
        libraries.forEach(files::add);
        for (Path file : files) {
            copy(packages.file(file), file.toString().substring(1));
        }
        TrustStore.write(packages.file(TrustStore.AUTHORITIES), directory.resolve(TrustStore.PATH));
        files.add(TrustStore.AUTHORITIES); // for their package
        SortedMap<String, String> stanzas = packages.stanzas(files);
        for (Map.Entry<String, String> stanza : stanzas.entrySet()) {
            write("var/lib/dpkg/status.d/" + stanza.getKey(), stanza.getValue());
        }
        return stanzas;
    }

    /** A file of arguments for {@code java}, one a line. */
    static String options(Checkout checkout, List<Path> jars) {
        String classPath = jars.stream().map(jar -> "/app/lib/" + jar.getFileName()).collect(Collectors.joining(":"));
        return String.join("\n", checkout.options()) + "\n\"-Dnodeward.version=" + checkout.version() + "\"\n-cp\n"
                + classPath + "\n";
    }

    void write(String path, String content) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    void copy(Path source, String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Gives all files the same time. */
    void settle() throws IOException {
        for (Path file : files()) {
            Files.setLastModifiedTime(file, FileTime.from(TIME));
        }
    }

    /** Files and folders, sorted. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> !file.equals(directory)).sorted().toList();
        }
    }
}
