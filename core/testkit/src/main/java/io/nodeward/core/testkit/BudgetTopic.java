package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** 429 that is no word on the server's load: a Pod's disruption budget refuses its eviction. */
abstract class BudgetTopic extends ServedTopic {
    private static final Resource PODS = new Resource("", "v1", "pods", true);
    private static final Resource ACCOUNTS = new Resource("", "v1", "serviceaccounts", true);
    private static final Resource BUDGETS = new Resource("policy", "v1", "poddisruptionbudgets", true);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @Test
    void a_budget_that_nobody_has_looked_at_yet_refuses_and_may_say_when_to_ask_again() throws IOException {
        ObjectKey pod = pod(api, "a");
        budget(api, "b");
        ApiFailure.Throttled failure = refused(api, pod);
        assertThat(failure.retryAfter().orElse(TEN_SECONDS)).isEqualTo(TEN_SECONDS);
        assertThat(api.get(PODS, pod)).isNotEmpty();
    }

    @Test
    void a_budget_with_nothing_to_spare_refuses_and_cannot_say_when_to_ask_again() throws IOException {
        ObjectKey pod = pod(api, "a");
        allow(api, budget(api, "b"), 0);
        ApiFailure.Throttled failure = refused(api, pod);
        assertThat(failure.retryAfter()).isEmpty();
        assertThat(failure.status().reason()).isEqualTo("TooManyRequests");
        assertThat(failure.status().message()).contains("disruption budget");
        assertThat(api.get(PODS, pod)).isNotEmpty();
    }

    @Test
    void the_answer_names_the_budget_as_its_cause() throws IOException {
        ObjectKey pod = pod(api, "a");
        allow(api, budget(api, "b"), 0);
        assertThat(refused(api, pod).status().heldUp().orElseThrow()).contains(name("b"), "needs 1 healthy pods");
    }

    @Test
    void another_pod_of_the_name_is_not_evicted() throws IOException {
        ObjectKey pod = pod(api, "a");
        assertThatThrownBy(() -> evict(api, pod, "of-another")).isInstanceOf(ApiFailure.Conflict.class);
        evict(api, pod, json(api.get(PODS, pod)).path("metadata").path("uid").asText());
        assertThatThrownBy(() -> api.get(PODS, pod)).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void a_budget_with_one_to_spare_lets_one_go_and_no_second() throws IOException {
        ObjectKey first = pod(api, "a");
        ObjectKey second = pod(api, "c");
        ObjectKey budget = budget(api, "b");
        allow(api, budget, 1);
        assertThat(json(evict(api, first)).path("status").asText()).isEqualTo("Success");
        assertThatThrownBy(() -> api.get(PODS, first)).isInstanceOf(ApiFailure.NotFound.class);
        assertThat(json(api.get(BUDGETS, budget)).path("status").path("disruptionsAllowed").asInt()).isZero();
        refused(api, second);
    }

    @Test
    void a_pod_of_no_budget_is_evicted_and_one_that_is_not_there_is_not_found() throws IOException {
        ObjectKey pod = pod(api, "a");
        evict(api, pod);
        assertThatThrownBy(() -> api.get(PODS, pod)).isInstanceOf(ApiFailure.NotFound.class);
        assertThatThrownBy(() -> evict(api, pod)).isInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void a_pod_of_two_budgets_is_a_fault_of_the_server() throws IOException {
        ObjectKey pod = pod(api, "a");
        allow(api, budget(api, "b"), 1);
        allow(api, budget(api, "c"), 1);
        assertThatThrownBy(() -> evict(api, pod))
                .isInstanceOfSatisfying(ApiFailure.Unreachable.class,
                        failure -> assertThat(failure.status().heldUp().orElseThrow()).contains("more than one"));
        assertThat(api.get(PODS, pod)).isNotEmpty();
    }

    private ApiFailure.Throttled refused(ApiServer api, ObjectKey pod) {
        return catchThrowableOfType(ApiFailure.Throttled.class, () -> evict(api, pod));
    }

    private static byte[] evict(ApiServer api, ObjectKey pod) {
        return api.create(PODS, pod, "eviction", eviction(pod), WRITER);
    }

    private static byte[] evict(ApiServer api, ObjectKey pod, String uid) {
        return api.create(PODS, pod, "eviction", bytes("""
                {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"%s","name":"%s"},
                 "deleteOptions":{"preconditions":{"uid":"%s"}}}
                """.formatted(pod.namespace(), pod.name(), uid)), WRITER);
    }

    private static byte[] eviction(ObjectKey pod) {
        return bytes("""
                {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"%s","name":"%s"}}
                """.formatted(pod.namespace(), pod.name()));
    }

    /** Runs and is ready, as far as anybody can tell; no scheduler takes it up. */
    private ObjectKey pod(ApiServer api, String suffix) throws IOException {
        String account = name("account-" + suffix);
        created(api, ACCOUNTS, "default", bytes("""
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"%s"}}""".formatted(account)));
        ObjectKey key = created(api, PODS, "default", bytes("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{%s}},
                 "spec":{"schedulerName":"nobody","serviceAccountName":"%s","automountServiceAccountToken":false,
                         "containers":[{"name":"c","image":"contract.test/none"}]}}
                """.formatted(name(suffix), jsonLabel(), account))).key();
        api.patchStatus(PODS, key, merge("""
                {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}
                """));
        return key;
    }

    private ObjectKey budget(ApiServer api, String suffix) throws IOException {
        return created(api, BUDGETS, "default", bytes("""
                {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"%s"},
                 "spec":{"minAvailable":1,"selector":{"matchLabels":{%s}}}}
                """.formatted(name(suffix), jsonLabel()))).key();
    }

    /** As the disruption controller would after looking at it. */
    private static void allow(ApiServer api, ObjectKey budget, int disruptions) throws IOException {
        long generation = json(api.get(BUDGETS, budget)).path("metadata").path("generation").asLong();
        assertThat(generation).isPositive();
        api.patchStatus(BUDGETS, budget, merge("""
                {"status":{"observedGeneration":%d,"disruptionsAllowed":%d,"desiredHealthy":1,"currentHealthy":%d,
                           "expectedPods":%d}}
                """.formatted(generation, disruptions, 1 + disruptions, 1 + disruptions)));
    }

    private String jsonLabel() {
        return "\"" + label().replace("=", "\":\"") + "\"";
    }
}
