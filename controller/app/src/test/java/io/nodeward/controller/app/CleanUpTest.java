package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code --cleanup} does. */
class CleanUpTest {
    private static final String VALIDATING = "validatingwebhookconfigurations";
    private static final String MUTATING = "mutatingwebhookconfigurations";
    private static final String POLICIES = "validatingadmissionpolicies";
    private static final String BINDINGS = "validatingadmissionpolicybindings";
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String UNBIND = "--cleanup-bindings=registration,other/registration";
    private static final String BOTH = "--controllers=admission,dedicated";
    private static final String GATES =
            "--feature-gates=MachineTaintAdmission=true,DedicatedNodes=true,DedicatedPodAdmission=false";

    @TempDir
    private Path directory;

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(kind(VALIDATING, "ValidatingWebhookConfiguration"))
            .withKind(kind(MUTATING, "MutatingWebhookConfiguration"))
            .withKind(kind(POLICIES, "ValidatingAdmissionPolicy"))
            .withKind(kind(BINDINGS, "ValidatingAdmissionPolicyBinding"))
            .withKind(Kind.custom(RBAC, List.of("v1"), "clusterrolebindings", "ClusterRoleBinding").clusterScoped()
                    .withStatus(false))
            .withKind(Kind.custom(RBAC, List.of("v1"), "rolebindings", "RoleBinding").withStatus(false))
            .withKind(Kind.custom("resource.k8s.io", List.of("v1"), "devicetaintrules", "DeviceTaintRule")
                    .clusterScoped()));
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private static Kind kind(String plural, String name) {
        return Kind.custom("admissionregistration.k8s.io", List.of("v1"), plural, name).clusterScoped()
                .withStatus(false);
    }

    @BeforeEach
    void create() throws IOException {
        create("namespaces", "", "nodeward-system", "");
        create("namespaces", "", "other", "");
        create(VALIDATING, "", "nodeward-admission", "admission");
        create(VALIDATING, "", "nodeward-dedicated", "dedicated");
        create(MUTATING, "", "nodeward-dedicated", "dedicated");
        create("secrets", "nodeward-system", "nodeward-dedicated", "dedicated");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Whatever its gate says, and whoever pauses the controller. */
    @Test
    void what_the_selected_controllers_registered_is_deleted_and_the_process_ends() throws IOException {
        server.create("configmaps", json(
                "{'metadata':{'namespace':'nodeward-system','name':'nodeward-pause'},'data':{'paused':'true'}}"));
        assertThat(run(BOTH, GATES)).as(said::toString).isZero();
        assertThat(there()).isEmpty();
    }

    @Test
    void what_another_controller_registered_stays() throws IOException {
        assertThat(run("--controllers=dedicated", GATES)).as(said::toString).isZero();
        assertThat(there()).containsExactly("nodeward-admission");
    }

    @Test
    void a_secret_is_found_beside_the_service_by_who_may_not_list_all_of_them() throws IOException {
        server.fault(1_000, r -> r.path().equals("/api/v1/secrets"), Fault.status(403, "Forbidden", "you may not"));
        assertThat(run(BOTH, GATES)).as(said::toString).isZero();
        assertThat(there()).isEmpty();
    }

    /** What it does not know to be its own is left to who has registered it. */
    @Test
    void only_what_is_annotated_with_the_service_is_deleted() throws IOException {
        create(MUTATING, "", "of-url", "dedicated", "");
        create(MUTATING, "", "of-release", "dedicated", "'nodeward.io/service':'other/nodeward'");
        assertThat(run(BOTH, "--admission-service=other/nodeward", "--dedicated-service=other/nodeward"))
                .as(said::toString).isZero();
        assertThat(there()).containsExactlyInAnyOrder("nodeward-admission", "nodeward-dedicated", "nodeward-dedicated",
                "nodeward-dedicated", "of-url");
        assertThat(run(BOTH, "--admission-service=https://10.0.0.1:9443", "--dedicated-service=https://10.0.0.1:9444"))
                .as(said::toString).isZero();
        assertThat(there()).hasSize(4).doesNotContain("of-url");
        create(MUTATING, "", "of-url", "dedicated", "");
        assertThat(run(BOTH)).as(said::toString).isZero();
        assertThat(there()).as("who names no Service may have been reached at a URL").isEmpty();
    }

    @Test
    void at_a_url_what_a_service_has_stays() throws IOException {
        assertThat(run(BOTH, "--admission-service=https://10.0.0.1:9443", "--dedicated-service=https://10.0.0.1:9444"))
                .as(said::toString).isZero();
        assertThat(there()).hasSize(4);
    }

    @Test
    void a_controller_without_policies_needs_no_right_to_see_policies() throws IOException {
        server.fault(1_000, r -> r.path().contains("admissionpolic"), Fault.status(403, "Forbidden", "you may not"));
        assertThat(run("--controllers=dedicated", GATES)).as(said::toString).isZero();
        assertThat(there()).containsExactly("nodeward-admission");
    }

    @Test
    void it_fails_if_something_is_left() throws IOException {
        server.fault(1_000, r -> r.method().equals("DELETE") && r.path().contains(MUTATING),
                Fault.status(403, "Forbidden", "you may not"));
        assertThat(run(BOTH, GATES)).isEqualTo(1);
        assertThat(said).hasToString("nodeward: still there: mutatingwebhookconfigurations nodeward-dedicated\n");
        assertThat(there()).containsExactly("nodeward-dedicated");
    }

    /** Which of its kinds it is, and what is done for other components all the same. */
    @Test
    void it_fails_if_it_may_not_look() throws IOException {
        server.fault(1_000, r -> r.path().endsWith(VALIDATING), Fault.status(403, "Forbidden", "you may not"));
        assertThat(run("--controllers=dedicated", GATES)).isEqualTo(1);
        assertThat(said).asString().startsWith("nodeward: still there: what dedicated has left (")
                .contains("you may not");
        create(MUTATING, "", "nodeward-dedicated", "dedicated");
        assertThat(run(BOTH, GATES)).isEqualTo(1);
        assertThat(server.list(MUTATING)).as("admission comes first").isEmpty();
    }

    @Test
    void it_asks_for_no_gate() throws IOException {
        assertThat(run(BOTH)).as(said::toString).isZero();
        assertThat(there()).isEmpty();
    }

    @Test
    void a_dry_run_leaves_all_of_it() throws IOException {
        create("clusterrolebindings", "", "registration", "");
        assertThat(run(BOTH, GATES, UNBIND, "--dry-run")).as(said::toString).isZero();
        assertThat(there()).hasSize(4);
        assertThat(server.list("clusterrolebindings")).hasSize(1);
    }

    /** A policy without the labels of Nodeward stays. */
    @Test
    void policies_and_bindings_of_guards_are_deleted_and_no_others() throws IOException {
        create(POLICIES, "", "nodeward-guard.banana", "guard", "");
        create(BINDINGS, "", "nodeward-guard.banana", "guard", "");
        create(POLICIES, "", "nodeward-admission-invalid", "admission", "");
        server.create(POLICIES, json("{'metadata':{'name':'nodeward-guard.theirs'}}"));
        assertThat(run("--controllers=guard")).as(said::toString).isZero();
        assertThat(server.list(BINDINGS)).isEmpty();
        assertThat(server.list(POLICIES)).extracting(policy -> policy.at("/metadata/name").asText())
                .containsExactlyInAnyOrder("nodeward-admission-invalid", "nodeward-guard.theirs");
        server.fault(1_000, r -> r.path().endsWith(BINDINGS), Fault.status(403, "Forbidden", "you may not"));
        assertThat(run("--controllers=guard")).as("nobody knows whether any is left").isEqualTo(1);
    }

    /** It evicts pods, or keeps them off devices, whether a controller runs or not. */
    @Test
    void taints_stay_whatever_is_selected() throws IOException {
        create("devicetaintrules", "", "projected", "devices");
        assertThat(run("--controllers=*")).as(said::toString).isZero();
        assertThat(there()).isEmpty();
        assertThat(server.list("devicetaintrules")).hasSize(1);
    }

    /** A controller that still runs would register again. */
    @Test
    void rights_to_register_end_before_anything_is_deleted() throws IOException {
        create("clusterrolebindings", "", "registration", "");
        create("clusterrolebindings", "", "other", "");
        create("rolebindings", "other", "registration", "");
        create("rolebindings", "nodeward-system", "registration", "");
        assertThat(run(BOTH, UNBIND)).as(said::toString).isZero();
        assertThat(there()).isEmpty();
        assertThat(server.list("clusterrolebindings")).hasSize(1);
        assertThat(server.list("rolebindings")).hasSize(1);
        assertThat(server.requests().stream().filter(request -> request.method().equals("DELETE")).limit(2))
                .extracting(Request::path).containsExactly("/apis/" + RBAC + "/v1/clusterrolebindings/registration",
                        "/apis/" + RBAC + "/v1/namespaces/other/rolebindings/registration");
        assertThat(run(BOTH, UNBIND)).as("once more").isZero();
    }

    /** An API server that learned later that the rights are gone has let it. */
    @Test
    void what_was_registered_once_more_after_the_rights_ended_is_deleted_too() throws IOException {
        create("clusterrolebindings", "", "registration", "");
        AtomicInteger looks = new AtomicInteger();
        server.fault(1_000, r -> {
            if (r.method().equals("GET") && r.path().endsWith(VALIDATING) && looks.incrementAndGet() == 4) {
                register();
            }
            return false;
        }, Fault.status(500, "InternalError", "never"));
        assertThat(run(BOTH, UNBIND)).as(said::toString).isZero();
        assertThat(looks).as("admission's, which has looked, and dedicated's").hasValueGreaterThan(4);
        assertThat(there()).isEmpty();
    }

    private void register() {
        try {
            create(VALIDATING, "", "nodeward-admission", "admission");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nothing_is_deleted_while_rights_to_register_last() throws IOException {
        create("clusterrolebindings", "", "registration", "");
        server.fault(1_000, r -> r.method().equals("DELETE") && r.path().contains("bindings"),
                Fault.status(403, "Forbidden", "you may not"));
        assertThat(run(BOTH, UNBIND)).isEqualTo(1);
        assertThat(said).asString().contains("you may not");
        assertThat(there()).hasSize(4);
    }

    private int run(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--cleanup",
                "--kubeconfig=" + Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig())));
        arguments.addAll(List.of(more));
        CommandLine command = Main.commandLine(arguments.toArray(String[]::new));
        return command.setErr(new PrintWriter(said, true)).execute(arguments.toArray(String[]::new));
    }

    /** Names of what is left. */
    private List<String> there() {
        List<String> names = new ArrayList<>();
        for (String kind : List.of(VALIDATING, MUTATING, "secrets")) {
            server.list(kind).forEach(object -> names.add(object.at("/metadata/name").asText()));
        }
        return names;
    }

    /** By who is reached where the flags' defaults say. */
    private void create(String resource, String namespace, String name, String component) throws IOException {
        create(resource, namespace, name, component,
                "'nodeward.io/service':'nodeward-system/nodeward-" + component + "'");
    }

    private void create(String resource, String namespace, String name, String component, String annotations)
            throws IOException {
        server.create(resource, json(("{'metadata':{'namespace':'%s','name':'%s','labels':{"
                + "'app.kubernetes.io/managed-by':'nodeward','nodeward.io/component':'%s',"
                + "'nodeward.io/watch-filter':''},'annotations':{%s}}}")
                .formatted(namespace, name, component, annotations)));
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }
}
