package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Those that are installed on this machine. Scanners find a package in an image by its stanza. */
final class DebianPackages implements Packages {
    private static final String ORIGIN = "the image is built on Debian or a distribution made from it";

    private static final Path ROOT = Path.of("/");
    private static final Path USR = Path.of("/usr");
    /** Not all that dpkg knows: some of it is about the machine, such as a hold, and two machines would build two images. */
    static final String STANZA = """
            Package: ${Package}
            Status: install ok installed
            Maintainer: ${Maintainer}
            Architecture: ${Architecture}
            Source: ${source:Package} (${source:Version})
            Version: ${Version}
            Description: ${binary:Summary}
            """;

    /** The field in which repositories have the checksum of a package's archive; of an installed package it is not known. */
    static final String CHECKSUM = "SHA256";

    @Override
    public String architecture() {
        return "amd64";
    }

    @Override
    public Path file(Path path) {
        return path;
    }

    @Override
    public Optional<Path> jdk() {
        return Optional.empty();
    }

    @Override
    public SortedSet<Path> libraries(Path runtime) throws IOException {
        return NativeLibraries.of(runtime);
    }

    @Override
    public SortedMap<String, String> stanzas(List<Path> files) throws IOException {
        SortedMap<String, String> stanzas = new TreeMap<>();
        for (Path file : files) {
            String owner = owner(file);
            stanzas.computeIfAbsent(owner.replaceFirst(":.*", ""),
                    name -> Program.run(ORIGIN, List.of("dpkg-query", "--show", "--showformat=" + STANZA, owner)));
        }
        return stanzas;
    }

    private static String owner(Path file) throws IOException {
        List<Path> names = names(file);
        try { // the shorter name is the end of the longer
            return owner(names, Program.run(ORIGIN, List.of("dpkg-query", "--search", "*" + names.getFirst())));
        } catch (ImageException e) {
            throw new ImageException("no package owns " + file + ", so no scanner would know of it:\n" + e.getMessage(),
                    e);
        }
    }

    /** Where /lib is /usr/lib, a package has either name, and the loader may have found the file by the other; the shorter first. */
    private static List<Path> names(Path file) throws IOException {
        Path inUsr = file.startsWith(USR) ? file : USR.resolve(ROOT.relativize(file));
        Path inRoot = ROOT.resolve(USR.relativize(inUsr));
        return Files.exists(inUsr) && Files.exists(inRoot) && Files.isSameFile(inUsr, inRoot) ? List.of(inRoot, inUsr)
                : List.of(file);
    }

    /** Reads what {@code dpkg-query --search} prints, with the architecture if it names one: {@code libc6:amd64}. */
    static String owner(List<Path> names, String found) {
        for (Path name : names) {
            for (String line : found.lines().filter(any -> !any.startsWith("diversion by ")).toList()) {
                if (line.endsWith(": " + name)) {
                    return line.substring(0, line.length() - name.toString().length() - 2).replaceFirst(",.*", "");
                }
            }
        }
        throw new ImageException("no package owns " + names + ":\n" + found);
    }

    /** The value of a field of a stanza. */
    static String field(String stanza, String name) {
        return find(stanza, name)
                .orElseThrow(() -> new ImageException("a package has no " + name + ":\n" + stanza));
    }

    /** The value of a field that a stanza may have. */
    static Optional<String> find(String stanza, String name) {
        return stanza.lines().filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2)).findFirst();
    }
}
