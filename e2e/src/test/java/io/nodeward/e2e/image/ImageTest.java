package io.nodeward.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Binaries;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller's image is made of. */
@Tag("deep")
class ImageTest {
    private static final long MEGABYTE = 1_000_000;

    private static Path output;
    private static UnpackedImage image;

    @TempDir
    private Path directory;

    @BeforeAll
    static void build() throws InterruptedException {
        output = BuiltImage.shared().output();
        image = BuiltImage.shared().unpacked();
    }

    @Test
    void it_has_the_modules_that_the_controller_needs_and_no_shell() throws Exception {
        String modules = Container.of(image, BuiltImage.tmp()).run(List.of("/opt/java/bin/java", "--list-modules"));
        assertThat(modules.lines().map(module -> module.replaceFirst("@.*", ""))).containsExactlyInAnyOrder("java.base",
                "java.logging", "java.management", "java.naming", "java.net.http", "java.security.sasl", "java.xml",
                "jdk.httpserver", "jdk.jfr", "jdk.management", "jdk.unsupported");
        try (Stream<Path> files = Files.walk(image.root())) {
            assertThat(files.filter(Files::isRegularFile).filter(Files::isExecutable)
                    .map(file -> image.root().relativize(file).toString())
                    .filter(file -> !file.contains(".so"))).containsExactlyInAnyOrder(
                            "opt/java/bin/java", "opt/java/lib/jexec", "opt/java/lib/jspawnhelper");
        }
    }

    @Test
    void it_says_what_it_is_made_of() throws Exception {
        assertThat(image.config().path("Labels")).isEqualTo(Json.parse("""
                {"org.opencontainers.image.title": "nodeward",
                 "org.opencontainers.image.description":
                   "Propagates taints and labels from Cluster API objects to Nodes",
                 "org.opencontainers.image.version": "%s",
                 "org.opencontainers.image.revision": "%s",
                 "org.opencontainers.image.created": "%s",
                 "org.opencontainers.image.licenses": "Apache-2.0"}""".formatted(
                Shell.run(BuiltImage.launcher(), "--version").split("\\s")[1],
                Shell.run("git", "-C", Shell.root().toString(), "describe", "--always", "--dirty", "--abbrev=40",
                        "--exclude=*").strip(),
                image.created().asText())));
        JsonNode sbom = Json.parse(Files.readString(output.resolve("nodeward.cdx.json")));
        assertThat(image.root().resolve("usr/share/sbom/nodeward.cdx.json"))
                .hasSameTextualContentAs(output.resolve("nodeward.cdx.json"));
        List<String> components = sbom.path("components").findValuesAsText("purl");
        try (Stream<Path> jars = Files.list(image.root().resolve("app/lib"))) {
            assertThat(components).filteredOn(purl -> purl.startsWith("pkg:maven/")).hasSize((int) jars.count())
                    .anyMatch(purl -> purl.matches("pkg:maven/com.google.guava/guava@\\d.*\\?type=jar"));
        }
        assertThat(components).anyMatch(purl -> purl.startsWith("pkg:generic/openjdk@25"))
                .anyMatch(purl -> purl.matches("pkg:deb/[a-z]+/libc6@.*"))
                .anyMatch(purl -> purl.matches("pkg:deb/[a-z]+/base-files@.*"))
                .anyMatch(purl -> purl.matches("pkg:deb/[a-z]+/ca-certificates@.*"));
        assertThat(image.root().resolve("var/lib/dpkg/status.d/libc6")).content().startsWith("Package: libc6\n");
    }

    /** Of an authority that somebody has added to the build machine, no scanner would know. */
    @Test
    void it_trusts_the_authorities_of_a_package_and_no_other() throws Exception {
        String packaged = Shell.run("sh", "-c",
                "dpkg-query --listfiles ca-certificates | grep '/share/ca-certificates/.*[.]crt$' | xargs cat");
        KeyStore trusted = KeyStore.getInstance(image.root().resolve("opt/java/lib/security/cacerts").toFile(),
                (char[]) null);
        List<Certificate> certificates = new ArrayList<>();
        for (String alias : Collections.list(trusted.aliases())) {
            certificates.add(trusted.getCertificate(alias));
        }
        assertThat(certificates).isNotEmpty().hasSameElementsAs(CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(packaged.getBytes(StandardCharsets.US_ASCII))));
    }

    @Test
    void it_is_small() {
        for (String archive : List.of("nodeward-oci.tar", "nodeward-docker.tar")) {
            assertThat(output.resolve(archive)).satisfies(
                    file -> assertThat(Files.size(file)).isPositive().isLessThan(100 * MEGABYTE));
        }
    }

    @Test
    void a_tool_that_is_not_ours_reads_and_pushes_it() throws Exception {
        String crane = Binaries.fromEnvironment().path(Component.CRANE).toString();
        String archive = output.resolve("nodeward-docker.tar").toString();
        assertThat(Shell.run(crane, "validate", "--tarball", archive)).isEqualTo("PASS: " + archive + "\n");
        int port = Ports.free();
        Process registry = new ProcessBuilder(crane, "registry", "serve", "--address=127.0.0.1:" + port)
                .redirectErrorStream(true).redirectOutput(directory.resolve("registry.log").toFile()).start();
        try {
            String name = "127.0.0.1:" + port + "/nodeward:1";
            await("the registry").atMost(MachineSuite.PATIENCE)
                    .untilAsserted(() -> Shell.run(crane, "push", image.layout().toString(), name));
            assertThat(Shell.run(crane, "validate", "--remote", name)).isEqualTo("PASS: " + name + "\n");
            JsonNode pushed = Json.parse(Shell.run(crane, "manifest", name));
            assertThat(pushed.path("layers").findValuesAsText("digest")).isEqualTo(image.layers());
        } finally {
            registry.destroyForcibly();
        }
    }

    /** On a machine that has the same packages, but has another umask, knows files by the other name of their folder, and holds them. */
    @Test
    void all_but_the_cache_is_the_same_each_time() throws Exception {
        BuiltImage again = BuiltImage.build(directory, "077", Map.of("DPKG_ADMINDIR", otherMachine().toString()),
                "--no-aot");
        UnpackedImage other = again.unpacked();
        assertThat(again.output().resolve("nodeward.cdx.json"))
                .hasSameBinaryContentAs(output.resolve("nodeward.cdx.json"));
        assertThat(image.layers()).hasSize(4).startsWith(other.layers().toArray(String[]::new));
        assertThat(other.layers()).hasSize(3);
        List<String> entryPoint = new ArrayList<>(image.entryPoint());
        assertThat(entryPoint.remove("-XX:AOTCache=/app/controller.aot")).isTrue();
        assertThat(other.entryPoint()).isEqualTo(entryPoint);
        assertThat(other.created()).isEqualTo(image.created());
    }

    /** What dpkg knows, told otherwise: /lib/x as /usr/lib/x, and the other way round. */
    private Path otherMachine() throws Exception {
        Path admin = Files.createDirectory(directory.resolve("dpkg"));
        Shell.run("sh", "-c", """
                cd /var/lib/dpkg
                cp -r info status "$0"
                sed -i 's/^Status: install ok/Status: hold ok/' "$0/status"
                sed -Ei 's#^/usr(/lib(64)?/)#\\1#; t; s#^(/lib(64)?/)#/usr\\1#' "$0"/info/*.list
                """, admin.toString());
        assertThat(Shell.run(Map.of("DPKG_ADMINDIR", admin.toString()), "dpkg-query", "--search", "*/libc.so.6"))
                .isNotEqualTo(Shell.run("dpkg-query", "--search", "*/libc.so.6"));
        return admin;
    }
}
