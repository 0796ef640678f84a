package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the chart renders, on a server that takes it, and the controller with the rights and flags of it. */
class ChartTest {
    private static final Set<String> CLUSTER_SCOPED =
            Set.of("ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition");
    private static final String OPERATORS = Shape.CHART.resolve("ci/operators.yaml").toString();

    private static final String[] NAMESPACES = {"--set", "namespaces={a,b}"};

    private static final String SPARED = "--dedicated-system-namespaces=kube-system,kube-node-lease,kube-public";

    private static ControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
        ClusterApiCrds.install(admin());
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @ParameterizedTest
    @EnumSource
    void helm_lint_finds_nothing(Shape shape) {
        assertThat(controlPlane.helm().run(shape.with("lint", "--strict", Shape.CHART.toString())).orThrow("helm lint")
                .out()).contains("1 chart(s) linted, 0 chart(s) failed");
    }

    @ParameterizedTest
    @EnumSource
    void each_object_says_whose_it_is(Shape shape) {
        List<JsonNode> objects = Json.yaml(template(shape));
        assertThat(objects).isNotEmpty().allSatisfy(object -> {
            assertThat(object.at("/metadata/labels/app.kubernetes.io~1name").asText()).isEqualTo("nodeward");
            assertThat(object.at("/metadata/labels/app.kubernetes.io~1instance").asText()).isEqualTo(shape.release());
            assertThat(object.at("/metadata/labels/app.kubernetes.io~1managed-by").asText()).isEqualTo("Helm");
            assertThat(object.at("/metadata/namespace").asText())
                    .isEqualTo(CLUSTER_SCOPED.contains(object.path("kind").asText()) ? "" : shape.release());
        });
        assertThat(objects).extracting(object -> object.path("kind").asText() + " " + object.at("/metadata/name")
                .asText()).as("also for tools that know no hooks").doesNotHaveDuplicates();
    }

    /**
     * Neither a right more nor one less than what suites of the controllers run with, and than it takes to remove what another revision
     * has registered; each bound to the one account.
     */
    @ParameterizedTest
    @EnumSource
    void the_rights_are_those_of_the_controllers_that_run(Shape shape) throws IOException {
        List<JsonNode> objects = render(shape);
        List<JsonNode> roles = ofKind(objects, "ClusterRole", "Role");
        for (JsonNode role : roles) {
            JsonNode binding = ofKind(objects, role.path("kind").asText() + "Binding").stream()
                    .filter(bound -> bound.at("/roleRef/name").equals(role.at("/metadata/name")))
                    .findFirst().orElseThrow();
            assertThat(binding.at("/metadata/name")).isEqualTo(role.at("/metadata/name"));
            assertThat(binding.at("/roleRef/kind")).isEqualTo(role.path("kind"));
            assertThat(binding.path("subjects")).isEqualTo(Json.tree(List.of(
                    Map.of("kind", "ServiceAccount", "name", shape.release(), "namespace", shape.release()))));
        }
        assertThat(ofKind(objects, "ClusterRoleBinding", "RoleBinding")).hasSameSizeAs(roles);

        Set<String> expected = Rights.in(Shape.files(shape.roles));
        expected.addAll(
                Rights.toRemove(Rights.in(Shape.files(List.of("admission/management", "dedicated/admission")))));
        roles.stream().filter(role -> role.at("/metadata/name").asText().endsWith(Rights.REGISTRATION))
                .forEach(role -> expected.add(Rights.toUnbind(role)));
        assertThat(Rights.in(roles)).isEqualTo(expected);
    }

    @Test
    void the_crds_are_those_of_nodeward_and_outlive_the_release() throws IOException {
        List<JsonNode> crds = ofKind(render(Shape.DEFAULTS), "CustomResourceDefinition");
        assertThat(crds).hasSize(4);
        for (JsonNode crd : crds) {
            String plural = crd.at("/spec/names/plural").asText();
            Path source = Path.of("..", "api-types/src/main/resources/io/nodeward/api/crds", plural + ".yaml");
            assertThat(crd.path("spec")).isEqualTo(Json.yaml(Files.readString(source)).getFirst().path("spec"));
            assertThat(crd.at("/metadata/annotations/helm.sh~1resource-policy").asText()).isEqualTo("keep");
        }
        assertThat(ofKind(render(Shape.DEFAULTS, "--set", "crds.enabled=false"), "CustomResourceDefinition")).isEmpty();
    }

    /** A webhook of a controller with a filter has a name of its own. */
    @Test
    void with_a_watch_filter_the_rights_are_on_objects_of_its_names() {
        List<JsonNode> roles = ofKind(render(Shape.ADMISSION, "--set", "watchFilter=x"), "ClusterRole", "Role");
        Set<String> names = new TreeSet<>();
        roles.forEach(role -> role.path("rules")
                .forEach(rule -> rule.path("resourceNames").forEach(name -> names.add(name.asText()))));
        names.removeIf(name -> name.endsWith(Rights.REGISTRATION));
        assertThat(names).containsExactly("nodeward-admission-gate-x", "nodeward-admission-invalid-x",
                "nodeward-admission-lifecycle-x", "nodeward-admission-x", "nodeward-dedicated-x", "nodeward-pause");
    }

    /** What has no namespace, as definitions of kinds, stays a right in the whole cluster. */
    @Test
    void with_namespaces_nothing_of_cluster_api_and_no_secret_is_read_elsewhere() {
        List<JsonNode> objects = render(Shape.ALL, NAMESPACES);
        assertThat(ofKind(objects, "Deployment").getFirst().at("/spec/template/spec/containers/0/args").toString())
                .contains("\"--namespaces=a,b\"");
        Set<String> everywhere = new TreeSet<>();
        List<JsonNode> roles = ofKind(objects, "ClusterRole");
        ofKind(objects, "ClusterRoleBinding").forEach(binding -> everywhere.addAll(Rights.in(roles.stream()
                .filter(role -> role.at("/metadata/name").equals(binding.at("/roleRef/name"))).toList())));
        assertThat(everywhere).anyMatch(right -> right.contains("customresourcedefinitions"))
                .noneMatch(right -> right.contains("cluster.x-k8s.io") || right.contains("/secrets"));
        assertThat(ofKind(objects, "RoleBinding"))
                .filteredOn(binding -> binding.at("/roleRef/kind").asText().equals("ClusterRole"))
                .extracting(binding -> binding.at("/metadata/namespace").asText() + " "
                        + binding.at("/roleRef/name").asText().replace("nodeward-all-", ""))
                .containsExactlyInAnyOrder("a autoscaler-management", "b autoscaler-management",
                        "a machine-management", "b machine-management", "a machinepool-management",
                        "b machinepool-management", "a topology-management", "b topology-management",
                        "a topology-providers", "b topology-providers");
        assertThat(Rights.in(ofKind(objects, "ClusterRole", "Role")))
                .isEqualTo(Rights.in(ofKind(render(Shape.ALL), "ClusterRole", "Role")));
    }

    /** A RoleBinding cannot grant cluster-scoped resources, and no API server warns of it. */
    @Test
    void what_is_bound_in_namespaces_is_in_namespaces() {
        List<JsonNode> objects = render(Shape.ALL, NAMESPACES);
        Set<String> kinds = new TreeSet<>();
        ofKind(objects, "RoleBinding").forEach(binding -> ofKind(objects, binding.at("/roleRef/kind").asText()).stream()
                .filter(role -> role.at("/metadata/name").equals(binding.at("/roleRef/name")))
                .forEach(role -> role.path("rules").forEach(rule -> rule.path("resources").forEach(resource -> kinds
                        .add(resource.asText().replaceFirst("/.*", "") + "." + rule.at("/apiGroups/0").asText())))));
        assertThat(kinds).contains("machines.cluster.x-k8s.io", "secrets.");
        String elsewhere = controlPlane.kubectl().run("api-resources", "--namespaced=false", "--no-headers",
                "--output=name").orThrow("kubectl api-resources").out();
        assertThat(elsewhere.lines().map(name -> name.contains(".") ? name : name + "."))
                .contains("nodes.", "customresourcedefinitions.apiextensions.k8s.io")
                .doesNotContainAnyElementsOf(kinds);
    }

    @Test
    void a_new_role_that_does_not_say_whether_namespaces_limit_it_is_refused(@TempDir Path directory)
            throws IOException {
        Path chart = directory.resolve("chart");
        Command.run(directory, List.of("cp", "-r", Shape.CHART.toString(), chart.toString())).orThrow("cp");
        for (String annotations : List.of("{}", "{nodeward.io/scope: Namespace}")) {
            Files.writeString(chart.resolve("files/rbac/machine/new.yaml"), """
                    kind: ClusterRole
                    metadata: {name: nodeward-new, annotations: %s}
                    rules: []
                    """.formatted(annotations));
            assertThat(controlPlane.helm().run("template", "x", chart.toString()).err()).as(annotations)
                    .contains("files/rbac/machine/new.yaml: the annotation nodeward.io/scope is neither Cluster nor"
                            + " Namespaced");
        }
    }

    /** Off by default is not the same: whatever gates are on, the release may remove webhooks, and nothing else. */
    @Test
    void a_gate_that_is_off_by_its_name_keeps_the_right_to_remove_the_secret() {
        String secret = "Role /secrets[nodeward-admission] delete";
        assertThat(Rights.in(render(Shape.DEFAULTS, "--set", "featureGates.MachineTaintAdmission=false")))
                .contains(secret).noneMatch(Rights::registers);
        assertThat(Rights.in(render(Shape.DEFAULTS))).doesNotContain(secret).noneMatch(Rights::registers);
        assertThat(roleNames(render(Shape.HOME, "--set", "featureGates.DedicatedPodAdmission=null")))
                .contains("nodeward-home-dedicated-tolerations", "nodeward-home-dedicated-admission")
                .doesNotContain("nodeward-home-dedicated-admission-registration");
        assertThat(Rights.in(render(Shape.HOME, "--set", "featureGates.DedicatedPodAdmission=null")))
                .contains("ClusterRole admissionregistration.k8s.io/validatingwebhookconfigurations"
                        + "[nodeward-dedicated] delete")
                .doesNotContain("ClusterRole /namespaces[] get");
        assertThat(roleNames(render(Shape.DEFAULTS, "--set", "controllers={*,-machine}"))).containsExactly(
                "nodeward-defaults-admission-management", "nodeward-defaults-dedicated-admission",
                "nodeward-defaults-leader-election", "nodeward-defaults-pause");
    }

    @Test
    void a_release_has_two_replicas_and_one_lease_of_its_name() throws IOException {
        JsonNode spec = ofKind(render(Shape.DEFAULTS), "Deployment").getFirst().path("spec");
        assertThat(spec.path("replicas").asInt()).isEqualTo(2);
        assertThat(spec.at("/strategy/type").asText()).isEqualTo("RollingUpdate");
        assertThat(spec.at("/template/spec/containers/0/args").toString()).contains(
                "\"--leader-election\",\"--leader-election-id=nodeward-defaults\","
                        + "\"--leader-election-namespace=nodeward-defaults\"");
        assertThat(ofKind(render(Shape.DEFAULTS), "PodDisruptionBudget")).hasSize(1);
    }

    @Test
    void one_replica_has_no_budget() throws IOException {
        assertThat(ofKind(render(Shape.DEFAULTS, "--set", "replicas=1"), "PodDisruptionBudget")).isEmpty();
    }

    @Test
    void values_that_name_nothing_are_refused() {
        assertThat(refused("featureGates.Banana=true")).contains("there is no gate Banana");
        assertThat(refused("controllers={banana}")).contains("there is no controller banana");
        assertThat(refused("bananas=2")).contains("additional properties 'bananas' not allowed");
        assertThat(refused("extraArgs={--dedicated-service=a/b}"))
                .contains("extraArgs: the chart sets --dedicated-service");
        assertThat(refused("extraArgs={--log-level=debug,--watch-filter=x}")).contains("the chart sets --watch-filter");
        assertThat(refused("extraArgs={--leader-election-id=x}")).contains("the chart sets --leader-election-id");
    }

    @Test
    void secure_metrics_come_with_the_flag_the_right_and_a_monitor_that_speaks_tls() throws IOException {
        List<JsonNode> objects =
                render(Shape.DEFAULTS, "--set", "metrics.secure=true,monitoring.podMonitor.enabled=true"
                        + ",monitoring.podMonitor.authorization.credentials.name=prometheus,metrics.certSecret=shown");
        assertThat(ofKind(objects, "Deployment").getFirst().toString()).contains("\"--metrics-secure\"",
                "\"--metrics-cert-dir=/etc/nodeward/metrics\"", "\"secretName\":\"shown\"",
                "\"mountPath\":\"/etc/nodeward/metrics\"");
        assertThat(ofKind(objects, "ClusterRole").toString()).contains("tokenreviews", "subjectaccessreviews");
        assertThat(ofKind(objects, "PodMonitor").getFirst().at("/spec/podMetricsEndpoints/0").toString())
                .contains("\"scheme\":\"https\"", "\"insecureSkipVerify\":true", "\"name\":\"prometheus\"");
        assertThat(ofKind(render(Shape.DEFAULTS, "--set", "metrics.secure=true,monitoring.podMonitor.enabled=true"
                + ",monitoring.podMonitor.tlsConfig=null"), "PodMonitor").toString())
                .as("the values of an older release").contains("\"tlsConfig\":{\"insecureSkipVerify\":true}");
    }

    /** As the documented command without Helm does it, in a namespace that restricts pods. */
    @ParameterizedTest
    @EnumSource
    void a_server_takes_it_and_the_controller_starts_with_its_rights_and_flags(Shape shape) {
        String namespace = shape.release();
        admin().create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", namespace,
                "labels", Map.of("pod-security.kubernetes.io/enforce", "restricted")))));
        controlPlane.kubectl().runWithInput(template(shape, "--no-hooks"), "apply", "--server-side", "-f", "-")
                .orThrow("kubectl apply");
        JsonNode template = ofKind(render(shape), "Deployment").getFirst().at("/spec/template");
        assertThat(dryRunOfPod(namespace, template)).isEqualTo(201);
        ((ObjectNode) template.at("/spec/containers/0/securityContext")).remove("allowPrivilegeEscalation");
        assertThat(dryRunOfPod(namespace, template)).as("the namespace restricts").isEqualTo(403);

        List<String> arguments = new ArrayList<>(
                List.of("--admission-address=127.0.0.1:0", "--dedicated-address=127.0.0.1:0"));
        template.at("/spec/containers/0/args").forEach(argument -> arguments.add(argument.asText()));
        Path account = controlPlane.file(controlPlane.kubeconfigForServiceAccount(namespace, namespace));
        try (RunningNodeward running = RunningNodeward.start(account, arguments.toArray(String[]::new))) {
            assertThat(running.metric("nodeward_paused")).isZero();
        }
    }

    /** Who cannot look at the cluster keeps all names: a CNI may need them. */
    @Test
    void without_a_look_at_the_cluster_the_namespaces_of_all_cnis_are_spared_until_values_name_others() {
        assertThat(spared(render(Shape.HOME)))
                .containsExactly(SPARED + ",calico-system,cilium,kube-flannel,tigera-operator");
        assertThat(spared(render(Shape.HOME, "--set-json", "dedicated.systemNamespaces=[]"))).containsExactly(SPARED);
        assertThat(spared(render(Shape.HOME, "--set", "dedicated.systemNamespaces={cilium}")))
                .containsExactly(SPARED + ",cilium");
        assertThat(spared(render(Shape.HOME, "--set", "extraArgs={--dedicated-system-namespaces=mine}")))
                .containsExactly("--dedicated-system-namespaces=mine");
        assertThat(spared(render(Shape.DEFAULTS))).as("it is off").isEmpty();
        assertThat(refused("dedicated.systemNamespaces=mine")).contains("systemNamespaces");
    }

    @Test
    void an_install_spares_the_namespaces_of_cnis_that_exist_and_says_so_and_an_upgrade_keeps_what_was() {
        namespace("kube-flannel");
        assertThat(helm("install", "--create-namespace")).contains("release, and in: kube-flannel (of the namespaces");
        namespace("cilium");
        assertThat(helm("upgrade")).contains("in: kube-flannel (kept", SPARED + ",kube-flannel\"");
        assertThat(helm("upgrade", "--set-json", "dedicated.systemNamespaces=[\"cilium\"]"))
                .contains("in: cilium (by dedicated.systemNamespaces)", SPARED + ",cilium\"");
        String deployment = "/apis/apps/v1/namespaces/cni/deployments/nodeward-home";
        JsonNode args = admin().get(deployment).at("/spec/template/spec/containers/0/args");
        List<String> before = new ArrayList<>();
        args.forEach(arg -> before.add(arg.asText()));
        before.removeIf(arg -> arg.startsWith("--dedicated-system-namespaces="));
        assertThat(before).hasSize(args.size() - 1);
        admin().send("PATCH", deployment, AdminClient.JSON_PATCH, Json.tree(List.of(Map.of("op", "replace", "path",
                "/spec/template/spec/containers/0/args", "value", before))).toString());
        assertThat(helm("upgrade")).as("of a chart without the flag")
                .contains("in: calico-system, cilium, kube-flannel, tigera-operator (kept");
        admin().send("PATCH", deployment, AdminClient.JSON_PATCH, Json.tree(List.of(Map.of("op", "replace", "path",
                "/spec/template/spec/containers/0/args", "value", List.of("--feature-gates=DeviceTaints=true"))))
                .toString());
        assertThat(helm("upgrade")).as("the controller is turned on").contains("in: cilium, kube-flannel (of the");
    }

    private static void namespace(String name) {
        admin().create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", name))));
    }

    /** Returns what it says and renders: an install is made, an upgrade is tried. */
    private static String helm(String verb, String... more) {
        List<String> words = new ArrayList<>(List.of(verb, Shape.HOME.release(), Shape.CHART.toString(), "--namespace",
                "cni", "--set", "crds.enabled=false,rbac.create=false"));
        words.addAll(List.of(more));
        if (verb.equals("upgrade")) {
            words.add("--dry-run=server");
        }
        return controlPlane.helm().run(Shape.HOME.with(words.toArray(String[]::new))).orThrow("helm " + verb).out();
    }

    private static List<String> spared(List<JsonNode> objects) {
        List<String> flags = new ArrayList<>();
        ofKind(objects, "Deployment").getFirst().at("/spec/template/spec/containers/0/args")
                .forEach(flag -> flags.add(flag.asText()));
        flags.removeIf(flag -> !flag.startsWith("--dedicated-system-namespaces="));
        return flags;
    }

    @Test
    void prometheus_finds_the_pods_and_has_the_alerts_of_the_guide() throws IOException {
        List<JsonNode> objects = render(Shape.DEFAULTS, "--values", OPERATORS);
        JsonNode monitor = ofKind(objects, "PodMonitor").getFirst();
        assertThat(monitor.at("/metadata/labels/prometheus").asText()).isEqualTo("main");
        JsonNode deployment = ofKind(objects, "Deployment").getFirst();
        assertThat(monitor.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector"));
        assertThat(deployment.at("/spec/template/spec/containers/0/ports").findValuesAsText("name"))
                .contains(monitor.at("/spec/podMetricsEndpoints/0/port").asText());
        JsonNode rule = ofKind(objects, "PrometheusRule").getFirst();
        assertThat(rule.at("/metadata/labels/prometheus").asText()).isEqualTo("main");
        assertThat(rule.path("spec"))
                .isEqualTo(Json.yaml(Files.readString(Path.of("..", "docs/guide/alerts.yaml"))).getFirst());
    }

    /** The certificate is for the Service that API servers call, and the controller may read its Secret and nothing else. */
    @Test
    void cert_manager_issues_what_the_webhook_shows() {
        List<JsonNode> objects = render(Shape.ADMISSION, "--values", OPERATORS);
        JsonNode certificate = ofKind(objects, "Certificate").getFirst().path("spec");
        String service = ofKind(objects, "Service").getFirst().at("/metadata/name").asText();
        assertThat(certificate.at("/dnsNames/0").asText()).isEqualTo(service + ".nodeward-admission.svc");
        String secret = certificate.path("secretName").asText();
        assertThat(ofKind(objects, "Deployment").getFirst().at("/spec/template/spec/containers/0/args"))
                .extracting(JsonNode::asText)
                .contains("--admission-secret=nodeward-admission/" + secret,
                        "--admission-service=nodeward-admission/" + service + ":9443");
        JsonNode role = ofKind(objects, "Role").stream()
                .filter(any -> any.at("/rules/0/resources/0").asText().equals("secrets")).findFirst().orElseThrow();
        assertThat(role.path("rules")).isEqualTo(Json.tree(List.of(Map.of("apiGroups", List.of(""), "resources",
                List.of("secrets"), "resourceNames", List.of(secret), "verbs", List.of("get", "list", "watch")))));
        assertThat(ofKind(render(Shape.DEFAULTS, "--values", OPERATORS), "Certificate")).as("nothing shows it")
                .isEmpty();
    }

    /** What Helm does before it deletes the release: the controller still reads all that it needs to serve. */
    @ParameterizedTest
    @EnumSource
    void what_cleans_up_ends_the_right_to_register_and_no_other(Shape shape) {
        List<JsonNode> objects = Json.yaml(template(shape));
        List<JsonNode> hooks = objects.stream().filter(object -> !hook(object).isEmpty()).toList();
        assertThat(hooks).as("a revision before may have registered something").hasSize(1);
        Set<String> unbound = new TreeSet<>();
        for (JsonNode job : hooks) {
            assertThat(job.path("kind").asText()).isEqualTo("Job");
            job.at("/spec/template/spec/containers/0/args").forEach(argument -> {
                if (argument.asText().startsWith("--cleanup-bindings=")) {
                    unbound.addAll(List.of(argument.asText().replaceFirst(".*=", "").split(",")));
                }
            });
        }
        List<JsonNode> roles = ofKind(objects, "ClusterRole", "Role");
        Set<String> left = Rights.in(roles.stream().filter(role -> !unbound.remove(Rights.binding(role))).toList());
        assertThat(unbound).as("each is there").isEmpty();
        assertThat(left).noneMatch(Rights::registers).containsAll(
                Rights.in(roles).stream().filter(right -> !Rights.registers(right)).toList());
        Set<String> deletable = new TreeSet<>();
        left.stream()
                .filter(right -> right.matches(".*/(secrets|[a-z]*admission[a-z]*|[a-z]*webhook[a-z]*)\\[.* delete"))
                .forEach(right -> deletable.add(right.replaceAll(".*/(.*)\\[(.*)] delete", "$1 $2")));
        assertThat(deletable).containsAll(shape.registered);
    }

    @Test
    void what_cleans_up_gets_no_calls_of_api_servers_and_the_placement_of_the_controller() {
        List<JsonNode> objects = Json.yaml(template(Shape.HOME, "--set", "nodeSelector.a=b", "--set",
                "imagePullSecrets[0].name=s", "--set", "tolerations[0].operator=Exists", "--set", "priorityClassName=p",
                "--set", "env[0].name=E", "--set", "affinity.nodeAffinity.x=y", "--set", "command={/c}", "--set",
                "watchFilter=w", "--set", "podAnnotations.a=b", "--set",
                "extraArgs={--dry-run,--log-format=json,--dry-run=true}"));
        JsonNode controller = ofKind(objects, "Deployment").getFirst().at("/spec/template/spec");
        JsonNode job = ofKind(objects, "Job").getFirst().at("/spec/template");
        assertThat(job.at("/metadata/annotations")).isEqualTo(Json.tree(Map.of("a", "b")));
        for (String field : List.of("serviceAccountName", "nodeSelector", "imagePullSecrets", "tolerations",
                "priorityClassName", "affinity",
                "volumes", "securityContext")) {
            assertThat(job.path("spec").path(field)).as(field).isEqualTo(controller.path(field));
            assertThat(controller.has(field)).as(field).isTrue();
        }
        for (String field : List.of("image", "command", "env", "resources", "securityContext", "volumeMounts")) {
            assertThat(job.at("/spec/containers/0").path(field)).as(field)
                    .isEqualTo(controller.at("/containers/0").path(field));
            assertThat(controller.at("/containers/0").has(field)).as(field).isTrue();
        }
        assertThat(job.at("/spec/containers/0/args")).extracting(JsonNode::asText).contains("--cleanup",
                "--controllers=admission,dedicated", "--watch-filter=w", "--log-format=json")
                .as("it deletes").noneMatch(argument -> argument.startsWith("--dry-run"));
        assertThat(controller.at("/containers/0/args")).extracting(JsonNode::asText)
                .contains("--dry-run", "--dry-run=true", "--log-format=json");
        JsonNode selected = ofKind(objects, "Service").getFirst().at("/spec/selector/app.kubernetes.io~1name");
        assertThat(job.at("/metadata/labels/app.kubernetes.io~1name")).isNotEqualTo(selected);
    }

    /** Empty if it is an object of the release. */
    private static String hook(JsonNode object) {
        return object.at("/metadata/annotations/helm.sh~1hook").asText();
    }

    private static int dryRunOfPod(String namespace, JsonNode template) {
        ObjectNode pod = template.deepCopy();
        ((ObjectNode) pod.path("metadata")).put("name", "pod");
        return admin().send("POST", "/api/v1/namespaces/" + namespace + "/pods?dryRun=All", AdminClient.JSON,
                pod.toString()).code();
    }

    private static String refused(String value) {
        Command.Result result = controlPlane.helm().run("template", "x", Shape.CHART.toString(), "--set", value);
        assertThat(result.exit()).isNotZero();
        return result.err();
    }

    private static String template(Shape shape, String... more) {
        List<String> arguments = new ArrayList<>(List.of("template", shape.release(), Shape.CHART.toString(),
                "--namespace", shape.release()));
        arguments.addAll(List.of(more));
        return controlPlane.helm().run(shape.with(arguments.toArray(String[]::new))).orThrow("helm template").out();
    }

    private static List<JsonNode> render(Shape shape, String... more) {
        return Json.yaml(template(shape, more)).stream().filter(object -> hook(object).isEmpty()).toList();
    }

    private static List<JsonNode> ofKind(List<JsonNode> objects, String... kinds) {
        return objects.stream().filter(object -> Stream.of(kinds).anyMatch(object.path("kind").asText()::equals))
                .toList();
    }

    private static Set<String> roleNames(List<JsonNode> objects) {
        Set<String> names = new TreeSet<>();
        ofKind(objects, "ClusterRole", "Role").forEach(role -> names.add(role.at("/metadata/name").asText()));
        return names;
    }

    private static AdminClient admin() {
        return controlPlane.admin();
    }
}
