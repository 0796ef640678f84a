package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A release as it is made, of this checkout. */
@Tag("deep")
class ReleaseBuildTest extends ReleaseSuite {
    @Test
    void a_release_is_whole_signed_and_says_of_what_it_is_made() throws Exception {
        commit(Shell.run("git", "-C", ROOT.toString(), "ls-files", "--cached", "--others", "--exclude-standard",
                "--deduplicate").lines().filter(file -> Files.exists(ROOT.resolve(file))).toArray(String[]::new));
        git("tag", "v9.8.6");
        commitNothing("chart: " + CHANGE);
        releaseSigned(Map.of(), "--url", "https://example.com/" + VERSION, "--no-aot");

        Map<String, String> sums = sums();
        assertThat(sums).containsKeys("nodeward-oci.tar", "nodeward-docker.tar", "nodeward.cdx.json", "nodeward.yaml",
                "kubectl-nodeward-linux-amd64.tar.gz", "kubectl-nodeward-java.tar.gz", "CHANGELOG.md",
                "artifacthub-repo.yml", CHART);
        assertSigned();
        JsonNode build = assertProvenance(sums, git("rev-parse", "HEAD").strip()).path("buildDefinition");
        assertThat(build.at("/internalParameters/maven").asText()).matches("\\d+\\.\\d+\\.\\d+");
        assertDependencies(build.path("resolvedDependencies").valueStream().skip(1).collect(Collectors.toMap(
                each -> each.path("uri").asText(), each -> each.at("/digest/sha256").asText())));
        assertArtifacts();
        assertChart();
        assertThat(output.resolve("CHANGELOG.md")).hasContent("""
                # 9.8.7-rc.1 (2026-01-02)

                ## chart

                - %s
                """.formatted(CHANGE));
        String commit = git("rev-parse", "HEAD").strip();
        assertThat(Shell.run("tar", "-xOzf", output.resolve("kubectl-nodeward-java.tar.gz").toString(), "VERSION"))
                .isEqualTo("v" + VERSION + " (" + commit.substring(0, 10) + ")\n");
        assertThat(Json.parse(Files.readString(output.resolve("nodeward.cdx.json"))).at("/metadata/component/version")
                .asText()).isEqualTo(VERSION);
        assertThat(Json.yaml(Files.readString(output.resolve("nodeward.yaml"))).getFirst().at("/spec/version").asText())
                .isEqualTo("v" + VERSION);
    }

    /** Without what this build has made. */
    private static void assertDependencies(Map<String, String> checksums) {
        assertThat(checksums.keySet()).anyMatch(uri -> uri.matches("pkg:generic/openjdk@25[^#]*"))
                .anyMatch(uri -> uri.matches("pkg:generic/openjdk@25.*#lib/modules"))
                .anyMatch(uri -> uri.startsWith("pkg:maven/com.google.guava/guava@"))
                .anyMatch(uri -> uri.matches("pkg:deb/[a-z]+/libc6@.*")).noneMatch(uri -> uri.contains("io.nodeward"));
        assertThat(checksums.entrySet()).filteredOn(each -> each.getKey().matches("pkg:(maven/.*|.*#lib/modules)"))
                .extracting(Map.Entry::getValue).hasSizeGreaterThan(20).allMatch(sum -> sum.matches("[0-9a-f]{64}"));
    }

    /** A Maven repository, with all that is needed to build a controller out of tree. */
    private void assertArtifacts() throws IOException {
        Path group = output.resolve("maven/io/nodeward");
        List<String> artifacts = Arrays.stream(group.toFile().list()).sorted().toList();
        assertThat(artifacts).containsExactly("nodeward", "nodeward-api-types", "nodeward-autoscaler-adapter",
                "nodeward-backend-fabric8", "nodeward-backend-official", "nodeward-controller-admission",
                "nodeward-controller-app", "nodeward-controller-dedicated", "nodeward-controller-devices",
                "nodeward-controller-guard",
                "nodeward-controller-machine", "nodeward-controller-machinepool", "nodeward-controller-topology",
                "nodeward-core-apply", "nodeward-core-cel", "nodeward-core-fakeapi", "nodeward-core-rules",
                "nodeward-core-runtime", "nodeward-core-spi", "nodeward-core-testkit");
        for (String artifact : artifacts) {
            String prefix = artifact + "-" + VERSION;
            Path folder = group.resolve(artifact).resolve(VERSION);
            assertThat(folder.resolve(prefix + ".pom")).content().contains("<version>" + VERSION + "</version>")
                    .doesNotContain("SNAPSHOT");
            if (!artifact.equals("nodeward")) {
                assertThat(folder.toFile().list()).as(artifact)
                        .contains(prefix + ".jar", prefix + "-sources.jar", prefix + "-javadoc.jar");
            }
        }
    }

    private void assertChart() throws Exception {
        String helm = ControlPlane.shared().binaries().path(Component.HELM).toString();
        String chart = output.resolve(CHART).toString();
        Shell.run(helm, "lint", "--strict", chart);
        assertChartMetadata(Json.yaml(Shell.run(helm, "show", "chart", chart)).getFirst());
        assertThat(Shell.run(helm, "template", "x", chart).lines().map(String::strip)
                .filter(line -> line.startsWith("image:")).distinct())
                .containsExactly("image: \"nodeward:" + VERSION + "\"");
        assertThat(Shell.run("tar", "-tzf", chart).lines()).contains("nodeward/Chart.yaml", "nodeward/values.yaml")
                .allMatch(name -> name.startsWith("nodeward/")).noneMatch(name -> name.startsWith("nodeward/ci"));
    }
}
