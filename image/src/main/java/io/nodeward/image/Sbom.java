package io.nodeward.image;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;

/** What the image is made of, in the JSON of CycloneDX. It depends on nothing but that. */
final class Sbom {
    static final String PATH = "usr/share/sbom/nodeward.cdx.json";

    private static final String MODULES = "lib/modules";
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
        hash(component, sha256(jar.file()));
    }

    /** Of an unpacked JDK the checksum is not known, so it has that of the file with all classes. */
    void runtime(Path jdk) throws IOException {
        Properties properties = properties(jdk.resolve("release"));
        String version = unquoted(properties, "JAVA_RUNTIME_VERSION");
        String purl = "pkg:generic/openjdk@" + version.replace("+", "%2B");
        ObjectNode component = component("platform", "openjdk", version, purl).put("publisher",
                unquoted(properties, "IMPLEMENTOR"));
        hash(component(component.putArray("components"), "file", MODULES, version, purl + "#" + MODULES),
                sha256(jdk.resolve(MODULES)));
    }

    /** @param stanzas of packages, by name, with the checksums of their archives where these are known */
    void packages(Map<String, String> stanzas, Path osRelease) throws IOException {
        Properties distribution = properties(osRelease);
        String id = unquoted(distribution, "ID");
        String release = id + "-" + unquoted(distribution, "VERSION_ID");
        stanzas.forEach((name, stanza) -> {
            String version = DebianPackages.field(stanza, "Version");
            ObjectNode component = component("library", name, version, "pkg:deb/" + id + "/" + name + "@"
                    + version.replace("+", "%2B") + "?arch=" + DebianPackages.field(stanza, "Architecture")
                    + "&distro=" + release);
            DebianPackages.find(stanza, DebianPackages.CHECKSUM).ifPresent(checksum -> hash(component, checksum));
        });
    }

    String json() throws IOException {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    }

    private ObjectNode component(String type, String name, String version, String purl) {
        return component(components, type, name, version, purl);
    }

    private static ObjectNode component(ArrayNode among, String type, String name, String version, String purl) {
        return among.addObject().put("type", type).put("bom-ref", purl).put("name", name).put("version", version)
                .put("purl", purl);
    }

    private static void hash(ObjectNode component, String sha256) {
        component.putArray("hashes").addObject().put("alg", "SHA-256").put("content", sha256);
    }

    private static Properties properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    private static String unquoted(Properties properties, String name) {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new ImageException("no " + name + " in " + properties.keySet());
        }
        return value.replace("\"", "");
    }

    static String sha256(Path file) throws IOException {
        try (var bytes = new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            bytes.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(bytes.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
