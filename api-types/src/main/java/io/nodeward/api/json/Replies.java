package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Small replies of an API server. */
public final class Replies {
    /** A subresource has a slash in its name. */
    private static final Pattern NAME = Pattern.compile("[^/]+");

    private Replies() {}

    /** The metadata of an object or of a {@code PartialObjectMetadata}. */
    public static Metadata metadata(byte[] object) throws IOException {
        return Projection.METADATA.read(object).metadata();
    }

    /** The versions an {@code APIGroup} serves, the server's preference first. */
    public static List<String> groupVersions(byte[] apiGroup) throws IOException {
        return read(apiGroup, "versions.version").at("versions").elements().stream()
                .map(version -> Parts.scalar(version.at("version"))).filter(version -> !version.isEmpty()).toList();
    }

    /** The plurals that an {@code APIResourceList} names; subresources, with a slash in theirs, are not among them. */
    public static Set<String> resources(byte[] apiResourceList) throws IOException {
        return kinds(apiResourceList).map(kind -> Parts.scalar(kind.at("name"))).collect(Collectors.toSet());
    }

    /** The plural by which an {@code APIResourceList} serves a kind; empty if it does not. */
    public static Optional<String> plural(byte[] apiResourceList, String kind) throws IOException {
        return kinds(apiResourceList).filter(served -> served.at("kind").string().equals(kind))
                .map(served -> Parts.scalar(served.at("name"))).findFirst();
    }

    private static Stream<Tree> kinds(byte[] apiResourceList) throws IOException {
        return read(apiResourceList, "resources.name", "resources.kind").at("resources")
                .elements().stream().filter(resource -> NAME.matcher(Parts.scalar(resource.at("name"))).matches());
    }

    /** A text of an object's status; empty if it is not there. */
    public static String status(byte[] object, String field) throws IOException {
        return Parts.scalar(read(object, "status." + field).at("status").at(field));
    }

    /** Whether the status of an infrastructure's object says that it has been set up, in either version's way. */
    public static boolean isProvisioned(byte[] object) throws IOException {
        Tree status = read(object, "status.ready", "status.initialization.provisioned")
                .at("status");
        return Parts.isTrue(status.at("ready")) || Parts.isTrue(status.at("initialization").at("provisioned"));
    }

    /** Returns these parts of an object; nothing of what is no object. */
    private static Tree read(byte[] object, String... parts) throws IOException {
        try (JsonParser p = Json.parser(object)) {
            return p.nextToken() == null ? Tree.ABSENT
                    : new TreeReader(Integer.MAX_VALUE).read(p, ShapeReader.shape(parts));
        }
    }
}
