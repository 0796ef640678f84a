package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a gate that is off does. */
class CleanUpTest extends AdmissionFixture {
    private static final String OTHER_FILTER = "'labels':{'app.kubernetes.io/managed-by':'nodeward',"
            + "'nodeward.io/component':'admission','nodeward.io/watch-filter':'b'}";

    @Test
    void what_the_controller_has_left_goes_and_nothing_of_anybody_else() throws Exception {
        for (String resource : List.of(WEBHOOKS, POLICIES, BINDINGS)) {
            create(resource, "", NAME, LABELS);
        }
        create("secrets", SYSTEM, NAME, LABELS);
        List<JsonNode> others = new ArrayList<>();
        for (String resource : List.of(WEBHOOKS, POLICIES, BINDINGS, "secrets")) {
            String namespace = resource.equals("secrets") ? SYSTEM : "";
            others.add(create(resource, namespace, "nodeward-admission-gate", "'labels':{}"));
            others.add(create(resource, namespace, "dedicated", LABELS.replace("admission", "dedicated")));
            others.add(create(resource, namespace, "helm", LABELS.replace("'nodeward'", "'Helm'")));
            others.add(create(resource, namespace, "nodeward-admission-b", OTHER_FILTER));
            others.add(create(resource, namespace, "without-filter",
                    "'labels':{'app.kubernetes.io/managed-by':'nodeward','nodeward.io/component':'admission'}"));
        }
        cleanUp(false);

        passUntil(() -> left(NAME) == 0);
        settle();
        assertThat(left("nodeward-admission-gate")).isEqualTo(4);
        for (String resource : List.of(WEBHOOKS, POLICIES, BINDINGS, "secrets")) {
            assertThat(others).containsAll(management.list(resource));
        }
        assertThat(management.requests().stream().filter(r -> r.method().equals("DELETE"))).hasSize(4);
    }

    @Test
    void all_that_the_controller_makes_bears_what_it_is_recognised_by() throws Exception {
        Runnable end = start(new AdmissionModule(config(), true, false, false), "", false);
        made(WEBHOOKS, NAME);
        end.run();
        AdmissionConfig policy = config();
        policy.mode = AdmissionConfig.Mode.policy;
        Runnable endOfPolicies = start(new AdmissionModule(policy, false, false, false), "", false);
        made(BINDINGS, "nodeward-admission-gate");
        endOfPolicies.run();
        cleanUp(false);

        passUntil(() -> management.list(WEBHOOKS).isEmpty() && management.list(POLICIES).isEmpty()
                && management.list(BINDINGS).isEmpty() && management.list("secrets").isEmpty());
    }

    /** A first release has the gate off, and a second one runs admission, behind a Service of its own. */
    @Test
    void what_a_nodeward_behind_another_service_has_registered_stays() throws Exception {
        for (AdmissionConfig.Mode mode : AdmissionConfig.Mode.values()) {
            AdmissionConfig other = config();
            other.mode = mode;
            other.service = WebhookClientConfig.parse(SYSTEM + "/nodeward-admission:9443");
            Runnable end = start(new AdmissionModule(other, false, false, false), "", false);
            made(mode == AdmissionConfig.Mode.webhook ? WEBHOOKS : BINDINGS, mode == AdmissionConfig.Mode.webhook
                    ? NAME
                    : "nodeward-admission-gate");
            end.run();
            List<JsonNode> made = new ArrayList<>();
            List.of(WEBHOOKS, POLICIES, BINDINGS, "secrets").forEach(kind -> made.addAll(management.list(kind)));

            AdmissionConfig own = config();
            own.service = WebhookClientConfig.parse(SYSTEM + "/nodeward:9443");
            List<String> log = logged(() -> {
                int before = (int) looks();
                Runnable stop = start(new AdmissionCleanUpModule(own), "", false);
                passUntil(() -> looks() == before + 4);
                settle();
                stop.run();
            });
            List<JsonNode> left = new ArrayList<>();
            List.of(WEBHOOKS, POLICIES, BINDINGS, "secrets").forEach(kind -> left.addAll(management.list(kind)));
            assertThat(left).isNotEmpty().isEqualTo(made);
            assertThat(log).hasSameSizeAs(made).allMatch(line -> line.contains("another Service"));
        }
    }

    /** Its Service has been renamed: the certificate is for the new name, in the Secret that there is. */
    @Test
    void a_secret_goes_with_the_service_that_has_it_now() throws Exception {
        for (String name : List.of("one", "two")) {
            AdmissionConfig config = config();
            config.service = WebhookClientConfig.parse(SYSTEM + "/" + name + ":9443");
            Runnable end = start(new AdmissionModule(config, true, false, false), "", false);
            passUntil(() -> made(WEBHOOKS, NAME).at("/webhooks/0/clientConfig/service/name").asText().equals(name));
            end.run();
        }
        AdmissionConfig two = config();
        two.service = WebhookClientConfig.parse(SYSTEM + "/two:9443");
        start(new AdmissionCleanUpModule(two), "", false);
        passUntil(() -> management.list(WEBHOOKS).isEmpty() && management.list("secrets").isEmpty());
    }

    /** The role that a release always has. */
    @Test
    void who_may_not_see_secrets_removes_the_rest_and_says_nothing_of_it() throws Exception {
        create(WEBHOOKS, "", NAME, LABELS);
        create("secrets", SYSTEM, NAME, LABELS);
        management.fault(1_000, r -> isLook(r) && r.path().endsWith("secrets"),
                Fault.status(403, "Forbidden", "you may not"));
        List<String> log = logged(() -> {
            cleanUp(false);
            passUntil(() -> management.list(WEBHOOKS).isEmpty());
            settle();
        });
        assertThat(management.get("secrets", SYSTEM, NAME)).isPresent();
        assertThat(log).singleElement().asString().contains("deleted " + WEBHOOKS);
    }

    @Test
    void where_nothing_is_left_it_looks_once_and_does_nothing() throws Exception {
        cleanUp(false);
        passUntil(() -> looks() == 4);
        settle();
        assertThat(looks()).isEqualTo(4);
        assertThat(writes()).isEmpty();
    }

    @Test
    void a_dry_run_leaves_it_there() throws Exception {
        create(WEBHOOKS, "", NAME, LABELS);
        cleanUp(true);
        passUntil(() -> looks() == 4);
        settle();
        assertThat(writes()).isEmpty();
    }

    @Test
    void what_fails_is_tried_again() {
        create(POLICIES, "", NAME, LABELS);
        management.fault(2, r -> r.path().endsWith(BINDINGS), Fault.status(500, "InternalError", "not now"));
        management.fault(r -> r.method().equals("DELETE"), Fault.status(500, "InternalError", "not now"));
        cleanUp(false);
        passUntil(() -> left(NAME) == 0);
    }

    /** Who may not see webhooks has not the role of admission: the rest, Secrets above all, is not asked for. */
    @Test
    void who_may_not_look_asks_once_and_is_told_how_to_delete_by_hand() {
        create("secrets", SYSTEM, NAME, LABELS);
        management.fault(1_000, r -> isLook(r) && !r.path().endsWith("secrets"),
                Fault.status(403, "Forbidden", "you may not"));
        List<String> log = logged(() -> {
            cleanUp(false);
            passUntil(() -> looks() > 0);
            settle();
        });

        assertThat(looks()).isOne();
        assertThat(management.get("secrets", SYSTEM, NAME)).isPresent();
        assertThat(log).singleElement().asString().contains("you may not",
                "kubectl get validatingwebhookconfigurations.admissionregistration.k8s.io,",
                "-l 'app.kubernetes.io/managed-by=nodeward,nodeward.io/component=admission,nodeward.io/watch-filter='")
                .endsWith("delete those whose SERVICE is <none>");
    }

    /** A role names the Secret; only that of the machine controller lists those of all namespaces. */
    @Test
    void a_secret_is_found_beside_the_service_by_who_may_not_list_all_of_them() {
        management.create("namespaces", json("{'metadata':{'name':'other'}}"));
        create("secrets", "other", NAME, LABELS + ",'annotations':{'nodeward.io/service':'other/nodeward'}");
        create("secrets", SYSTEM, NAME, LABELS);
        management.fault(1_000, r -> r.path().equals("/api/v1/secrets"), Fault.status(403, "Forbidden", "you may not"));
        AdmissionConfig config = config();
        config.service = WebhookClientConfig.parse("other/nodeward:9443");
        start(new AdmissionCleanUpModule(config), "", false);

        passUntil(() -> management.get("secrets", "other", NAME).isEmpty());
        settle();
        assertThat(management.get("secrets", SYSTEM, NAME)).isPresent();
    }

    private static List<String> logged(Callable action) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger garbage = (Logger) LoggerFactory.getLogger("io.nodeward.core.runtime.webhook");
        Level before = garbage.getLevel();
        log.start();
        garbage.addAppender(log);
        garbage.setLevel(Level.INFO);
        try {
            assertThatCode(action::call).doesNotThrowAnyException();
        } finally {
            garbage.setLevel(before);
            garbage.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @FunctionalInterface
    private interface Callable {
        void call() throws Exception;
    }

    private void cleanUp(boolean dryRun) {
        start(new AdmissionCleanUpModule(config()), "", dryRun);
    }

    private long looks() {
        return management.requests().stream().filter(CleanUpTest::isLook).count();
    }

    private static boolean isLook(Request request) {
        return request.query().contains("nodeward.io%2Fcomponent") && !request.query().contains("watch=true");
    }

    private JsonNode create(String resource, String namespace, String name, String labels) {
        return management.create(resource,
                json("{'metadata':{'namespace':'" + namespace + "','name':'" + name + "'," + labels + "}}"));
    }

    private long left(String name) {
        return List.of(WEBHOOKS, POLICIES, BINDINGS, "secrets").stream()
                .filter(r -> management.get(r, r.equals("secrets") ? SYSTEM : "", name).isPresent()).count();
    }
}
