package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is put into the image or the archives, as the launcher says.
 *
 * @param java of the JDK that the image gets its runtime from
 * @param revision the commit
 * @param created the time of that commit, as the image shall not depend on when it is built
 * @param options with which the launcher starts the controller's JVM
 */
record Checkout(Path directory, Path java, String version, String revision, Instant created, List<String> options) {

    static Checkout ofProperties() {
        return new Checkout(Path.of(property("checkout")), Path.of(property("java")), property("version"),
                property("revision"), Instant.ofEpochSecond(Long.parseLong(property("created"))),
                List.of(property("options").split(" ")));
    }

    private static String property(String name) {
        String value = System.getProperty("nodeward." + name);
        if (value == null) {
            throw new ImageException("the launcher starts this, and sets nodeward." + name);
        }
        return value;
    }

    /** Version for a tag: without the commit, which the launcher adds in brackets. */
    String tag() {
        return version.replaceFirst(" .*", "");
    }

    Path jdk() throws IOException {
        return java.toRealPath().resolve("../..").normalize();
    }

    /** Jars of a module and all it needs, in the order in which the launcher has them: an AOT cache demands one order. */
    List<Path> jars(String module) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(module).resolve("target/lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted(Comparator.comparing(file -> file.getFileName().toString())).toList();
        }
    }
}
