package io.nodeward.image;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;

/** What the image is made of, in the JSON of CycloneDX. It depends on nothing but that. */
final class Sbom {
    static final String PATH = "usr/share/sbom/nodeward.cdx.json";

    private static final JsonMapper JSON = new JsonMapper();

    private final ObjectNode document = JSON.createObjectNode();
    private final ArrayNode components;

    Sbom(String version) {
        document.put("bomFormat", "CycloneDX").put("specVersion", "1.6").put("version", 1);
        ObjectNode image = document.putObject("metadata").putObject("component");
        image.put("type", "container").put("name", "nodeward").put("version", version);
        image.putArray("licenses").addObject().putObject("license").put("id", "Apache-2.0");
        components = document.putArray("components");
    }

    void jar(MavenJar jar) throws IOException {
        ObjectNode component = component("library", jar.name(), jar.version(), jar.purl()).put("group", jar.group());
        component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", sha256(jar.file()));
    }

    /** @param release the file of this name in a JDK */
    void runtime(Path release) throws IOException {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        String version = unquoted(properties, "JAVA_RUNTIME_VERSION");
        component("platform", "openjdk", version, "pkg:generic/openjdk@" + version.replace("+", "%2B"))
                .put("publisher", unquoted(properties, "IMPLEMENTOR"));
    }

    /** @param stanzas of packages, by name */
    void packages(Map<String, String> stanzas, Path osRelease) throws IOException {
        Properties distribution = new Properties();
        try (var reader = Files.newBufferedReader(osRelease)) {
            distribution.load(reader);
        }
        String id = unquoted(distribution, "ID");
        String release = id + "-" + unquoted(distribution, "VERSION_ID");
        stanzas.forEach((name, stanza) -> {
            String version = DebianPackages.field(stanza, "Version");
            component("library", name, version, "pkg:deb/" + id + "/" + name + "@" + version.replace("+", "%2B")
                    + "?arch=" + DebianPackages.field(stanza, "Architecture") + "&distro=" + release);
        });
    }

    String json() throws IOException {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    private ObjectNode component(String type, String name, String version, String purl) {
        return components.addObject().put("type", type).put("bom-ref", purl).put("name", name).put("version", version)
                .put("purl", purl);
    }

    private static String unquoted(Properties properties, String name) {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new ImageException("no " + name + " in " + properties.keySet());
        }
        return value.replace("\"", "");
    }

    static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
