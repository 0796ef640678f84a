package io.nodeward.image;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the distribution knows of its files. Scanners find a package in an image by its stanza. */
final class DebianPackages {
    private static final String ORIGIN = "the image is built on Debian or a distribution made from it";

    private DebianPackages() {}

    /** Stanzas of the packages that own these files, by name. */
    static SortedMap<String, String> of(Iterable<Path> files) {
        SortedMap<String, String> stanzas = new TreeMap<>();
        for (Path file : files) {
            String owner = owner(file);
            stanzas.computeIfAbsent(owner.replaceFirst(":.*", ""),
                    name -> Program.run(ORIGIN, List.of("dpkg-query", "--status", owner)));
        }
        return stanzas;
    }

    private static String owner(Path file) {
        try {
            return owner(file, Program.run(ORIGIN, List.of("dpkg-query", "--search", file.toString())));
        } catch (ImageException e) {
            throw new ImageException("no package owns " + file + ", so no scanner would know of it:\n" + e.getMessage(),
                    e);
        }
    }

    /** Reads what {@code dpkg-query --search} prints, with the architecture if it names one: {@code libc6:amd64}. */
    static String owner(Path file, String found) {
        return found.lines().filter(line -> line.endsWith(": " + file) && !line.startsWith("diversion by "))
                .map(line -> line.substring(0, line.length() - file.toString().length() - 2).replaceFirst(",.*", ""))
                .findFirst().orElseThrow(() -> new ImageException("no package owns " + file + ":\n" + found));
    }

    /** The value of a field of a stanza. */
    static String field(String stanza, String name) {
        return stanza.lines().filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2)).findFirst()
                .orElseThrow(() -> new ImageException("a package has no " + name + ":\n" + stanza));
    }
}
