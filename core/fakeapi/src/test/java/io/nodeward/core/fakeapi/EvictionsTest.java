package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Evictions and disruption budgets. */
public class EvictionsTest extends ServerTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

    @BeforeEach
    void pod() {
        client.post(PODS, "{'metadata':{'name':'p','labels':{'app':'a'}},'spec':{'schedulerName':'nobody',"
                + "'automountServiceAccountToken':false,'containers':[{'name':'c','image':'fake.test/none'}]}}");
        status("{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
    }

    private void status(String status) {
        assertThat(client.merge(PODS + "/p/status", "{'status':" + status + "}").code()).isEqualTo(200);
    }

    private static Client.Reply evict(Client client) {
        return client.post(PODS + "/p/eviction",
                "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}}");
    }

    private void budget(String selector, String status) {
        client.post(BUDGETS, "{'metadata':{'name':'b'},'spec':{'minAvailable':1,'selector':" + selector + "}}");
        client.merge(BUDGETS + "/b/status", "{'status':" + status + "}");
    }

    @Test
    void a_change_of_the_budget_has_to_be_looked_at_first() {
        budget("{'matchLabels':{'app':'a'}}", "{'observedGeneration':1,'disruptionsAllowed':1}");
        assertThat(client.merge(BUDGETS + "/b", "{'spec':{'minAvailable':2}}").at("/metadata/generation"))
                .isEqualTo("2");
        Client.Reply refused = evict(client);
        assertThat(refused.code()).isEqualTo(429);
        assertThat(refused.http().headers().firstValue("Retry-After")).contains("10");
        assertThat(refused.at("/details/causes/0/message")).contains("still being processed");
    }

    @Test
    void selectors_of_budgets_match_by_labels_and_by_expressions() {
        String none = "{'observedGeneration':9,'disruptionsAllowed':0}";
        budget("{'matchExpressions':[{'key':'app','operator':'In','values':['a','b']}]}", none);
        assertThat(evict(client).code()).isEqualTo(429);
        client.merge(BUDGETS + "/b",
                "{'spec':{'selector':{'matchExpressions':[{'key':'app','operator':'DoesNotExist'}]}}}");
        client.merge(BUDGETS + "/b/status", "{'status':{'observedGeneration':9}}");
        assertThat(evict(client).code()).isEqualTo(201);
    }

    @Test
    void a_budget_without_a_selector_concerns_nobody_and_with_an_empty_one_everybody() {
        budget("{}", "{'observedGeneration':1}");
        assertThat(evict(client).code()).isEqualTo(429);
        client.merge(BUDGETS + "/b", "{'spec':{'selector':null}}");
        assertThat(evict(client).code()).isEqualTo(201);
    }

    @Test
    void a_pod_that_does_not_run_needs_no_budget() {
        budget("{}", "{'observedGeneration':1}");
        status("{'phase':'Pending'}");
        assertThat(evict(client).code()).isEqualTo(201);
    }

    @Test
    void a_pod_that_is_not_ready_may_go_while_enough_others_are() {
        budget("{}", "{'observedGeneration':1,'desiredHealthy':1,'currentHealthy':0}");
        status("{'conditions':[{'type':'Ready','status':'False'}]}");
        assertThat(evict(client).code()).isEqualTo(429);
        client.merge(BUDGETS + "/b/status", "{'status':{'currentHealthy':1}}");
        assertThat(evict(client).code()).isEqualTo(201);
    }

    @Test
    void a_dry_run_spends_nothing() {
        budget("{}", "{'observedGeneration':1,'disruptionsAllowed':1}");
        Client.Reply dry = client.post(
                PODS + "/p/eviction?dryRun=All",
                "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}}");
        assertThat(dry.code()).isEqualTo(201);
        assertThat(client.get(BUDGETS + "/b").at("/status/disruptionsAllowed")).isEqualTo("1");
        assertThat(evict(client).code()).isEqualTo(201);
    }

    @Test
    void what_is_no_eviction_of_this_pod_is_refused() {
        assertThat(client.post(PODS + "/p/eviction", "{'kind':'Eviction','metadata':{'name':'q'}}").code())
                .isEqualTo(400);
        assertThat(client.post(PODS + "/p/eviction", "{'kind':'Pod','metadata':{'name':'p'}}").code()).isEqualTo(400);
        assertThat(client.get(PODS + "/p/eviction").code()).isEqualTo(405);
        assertThat(client.post("/api/v1/nodes/p/eviction", "{}").code()).isEqualTo(404);
    }
}
