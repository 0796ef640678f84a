package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.controller.app.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files of the Helm chart that are copies, written anew as {@link GeneratedDocsTest} writes its pages. */
class GeneratedChartTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path FILES = ROOT.resolve("deploy/chart/files");
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void the_files_of_the_chart_are_those_that_suites_run_with() throws IOException {
        Map<String, String> sources = sources();
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            for (Map.Entry<String, String> file : sources.entrySet()) {
                Path target = FILES.resolve(file.getKey());
                Files.createDirectories(target.getParent());
                Files.writeString(target, file.getValue());
            }
        }
        Map<String, String> copies = new TreeMap<>();
        for (Path file : filesIn(FILES)) {
            copies.put(FILES.relativize(file).toString(), Files.readString(file));
        }
        assertThat(copies).as("run with -Dnodeward.docs=write").isEqualTo(sources);
    }

    @Test
    void the_chart_installs_the_version_that_is_built() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String version = pom.substring(pom.indexOf("<version>") + "<version>".length(), pom.indexOf("</version>"));
        JsonNode chart = YAML.readTree(ROOT.resolve("deploy/chart/Chart.yaml").toFile());
        assertThat(chart.path("appVersion").asText()).isEqualTo(version);
        assertThat(chart.path("version").asText()).isEqualTo(version);
    }

    /** Where Cluster API is installed, Nodeward's partial copies of its CRDs would replace its own. */
    @Test
    void the_chart_has_no_crds_but_its_own() throws IOException {
        List<Path> crds = filesIn(FILES.resolve("crds"));
        assertThat(crds).hasSize(4);
        for (Path crd : crds) {
            assertThat(YAML.readTree(crd.toFile()).at("/spec/group").asText()).isEqualTo("nodeward.io");
        }
    }

    @Test
    void roles_name_gates_that_exist() throws IOException {
        JsonNode gates = YAML.readTree(Reference.controllers()).path("featureGates");
        int named = 0;
        for (Path file : filesIn(FILES.resolve("rbac"))) {
            JsonNode gate = YAML.readTree(file.toFile()).at("/metadata/annotations").path("nodeward.io/feature-gate");
            named += gate.isMissingNode() ? 0 : 1;
            assertThat(gate.isMissingNode() || gates.has(gate.asText())).as(file + " names " + gate).isTrue();
        }
        assertThat(named).isEqualTo(4);
    }

    /** Roles of Cluster API's objects and of Secrets are bound in namespaces, where the chart has some. */
    @Test
    void each_cluster_role_says_whether_namespaces_limit_it() throws IOException {
        Map<String, String> scopes = new TreeMap<>();
        for (Path file : filesIn(FILES.resolve("rbac"))) {
            JsonNode role = YAML.readTree(file.toFile());
            String scope = role.at("/metadata/annotations").path("nodeward.io/scope").asText();
            boolean namespaced = role.has("aggregationRule")
                    || role.path("rules").toString().matches(".*(cluster\\.x-k8s\\.io|\"secrets\").*");
            assertThat(scope).as(file.toString()).isEqualTo(role.path("kind").asText().equals("Role") ? ""
                    : namespaced ? "Namespaced" : "Cluster");
            scopes.merge(scope, "x", String::concat);
        }
        assertThat(scopes).containsOnlyKeys("", "Cluster", "Namespaced");
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> files = new TreeMap<>(Map.of("controllers.yaml", Reference.controllers()));
        files.put("alerts.yaml", Files.readString(ROOT.resolve("docs/guide/alerts.yaml")));
        for (Path crd : filesIn(ROOT.resolve("api-types/src/main/resources/io/nodeward/api/crds"))) {
            if (YAML.readTree(crd.toFile()).at("/spec/group").asText().equals("nodeward.io")) {
                files.put("crds/" + crd.getFileName(), Files.readString(crd));
            }
        }
        for (Path module : modules()) {
            for (Path role : filesIn(module.resolve("src/main/rbac"))) {
                // Roles for workload clusters are bound there.
                if (!role.endsWith("workload.yaml")) {
                    files.put("rbac/" + name(module) + "/" + role.getFileName(), Files.readString(role));
                }
            }
        }
        return files;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT.resolve("controller"))) {
            return Stream.concat(modules, Stream.of(ROOT.resolve("autoscaler-adapter")))
                    .filter(module -> Files.isDirectory(module.resolve("src/main/rbac"))).toList();
        }
    }

    /** As {@code --controllers} calls it. */
    private static String name(Path module) {
        return module.getFileName().toString().replace("-adapter", "");
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
