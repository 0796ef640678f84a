package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong between the controller and the API server, and what its flags keep it from doing. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AdapterFaultsTest extends AdapterFixture {
    @Test
    void a_missing_right_is_named_and_tried_again_until_it_is_there() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.fault(2, AdapterFaultsTest::isWriteOfG, Fault.status(403, "Forbidden", "no right to patch"));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        assertThat(management.list("events")).singleElement().satisfies(event -> {
            assertThat(reason(event)).isEqualTo("CapacityRefused");
            assertThat(event.path("message").asText()).contains("no right to patch");
        });
    }

    @Test
    void a_group_that_is_gone_by_then_is_nobodys_trouble() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.fault(1, request -> isWriteOfG(request) && asked.incrementAndGet() > 0,
                Fault.status(404, "NotFound", "not found"));
        start();

        await().until(() -> asked.get() > 0);
        settle();
        assertThat(management.list("events")).isEmpty();
        assertThat(annotation(DEPLOYMENTS, "g", TAINTS)).as("nothing new has been seen").isNull();
        declare(DEPLOYMENTS, "g", "a=2:NoSchedule");
        awaitText(DEPLOYMENTS, "g", "a=2:NoSchedule");
    }

    @Test
    void after_a_conflict_the_plan_is_made_from_what_the_other_wrote() {
        AtomicInteger asked = new AtomicInteger();
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.fault(1, request -> {
            if (!isWriteOfG(request) || asked.incrementAndGet() > 1) {
                return false;
            }
            annotate(DEPLOYMENTS, "g", TAINTS, "u:NoExecute");
            return true;
        }, Fault.status(409, "Conflict", "somebody was quicker"));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule,u:NoExecute");
        assertThat(writes()).hasSizeLessThanOrEqualTo(2).last().satisfies(
                request -> assertThat(request.body()).contains("a=1:NoSchedule,u:NoExecute"));
    }

    @Test
    void a_dry_run_writes_nothing() throws Exception {
        dryRun = true;
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();

        await().until(() -> gauge("nodeward.autoscaler.redundant.groups") == 1);
        settle();
        assertThat(writes()).isEmpty();
    }

    @Test
    void groups_without_the_label_of_the_filter_are_left_alone() throws Exception {
        watchFilter = "mine";
        String label = "{'metadata':{'labels':{'cluster.x-k8s.io/watch-filter':'mine'}}}";
        management.mergePatch("clusters", "fleet", "c", json(label));
        group(DEPLOYMENTS, "other", "a=1:NoSchedule");
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        management.mergePatch(DEPLOYMENTS, "fleet", "g", json(label));
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
        settle();
        assertThat(annotation(DEPLOYMENTS, "other", TAINTS)).isNull();
        assertThat(gauge("nodeward.autoscaler.groups")).isEqualTo(1);
    }

    private static boolean isWriteOfG(Request request) {
        return request.method().equals("PATCH") && request.path().endsWith("/g");
    }

    private static String reason(JsonNode event) {
        return event.path("reason").asText();
    }
}
