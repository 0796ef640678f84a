package io.nodeward.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** The packages of a distribution that the image's files come from. */
interface Packages {
    /** As engines and Debian say it. */
    String architecture();

    /** Where this machine has a file, by its path in the image. */
    Path file(Path path);

    /** The JDK of which the runtime is linked, if it is not that of the machine. */
    Optional<Path> jdk();

    /** Libraries that a runtime needs, by the names under which the loader looks for them. */
    SortedSet<Path> libraries(Path runtime) throws IOException;

    /** Stanzas of the packages that own these files, by name. */
    SortedMap<String, String> stanzas(List<Path> files) throws IOException;
}
