package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Part;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server makes of changes of any kind of object. */
class ChangeWriterTest {
    private static final CustomResourceDefinition WIDGETS =
            new CustomResourceDefinition("kit.example.io", "v1", "Widget", "widgets", true);
    private static final ObjectKind WIDGET = ObjectKind.of(WIDGETS);
    private static final ObjectKind POD = new ObjectKind("", "v1", "Pod", "pods", true);
    private static final ObjectKind NODE = new ObjectKind("", "v1", "Node", "nodes", false);
    private static final ObjectKey KEY = new ObjectKey("default", "w");

    private final FakeApiServer server = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom("kit.example.io", List.of("v1"), "widgets", "Widget")));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            new SimpleMeterRegistry(), "test", WritePause.NEVER, Leadership.UNCONTESTED)
            .management(server.kubeconfig(), Optional.empty());

    @AfterEach
    void stop() {
        api.close();
        timers.close();
        server.close();
    }

    @Test
    void one_request_creates_an_object_and_nobody_else_s_is_taken_for_it() {
        ObjectChange update = ObjectChange.create(WIDGET, KEY, content("size", 3));
        assertThat(apply(update)).isEqualTo(new Applied.Written());

        assertThat(stored().at("/spec/size").asInt()).isEqualTo(3);
        assertThat(stored().at("/metadata/labels/a").asText()).isEqualTo("b");
        assertThat(writes()).singleElement().satisfies(request -> assertThat(request.query())
                .isEqualTo("fieldManager=manager"));
        assertThatThrownBy(() -> apply(update)).isInstanceOf(ApiFailure.AlreadyExists.class);
    }

    @Test
    void what_is_applied_is_all_that_the_manager_has_whether_the_object_is_there_or_not() {
        apply(ObjectChange.apply(WIDGET, KEY, content("size", 3)));
        apply(ObjectChange.apply(WIDGET, KEY, content("color", "bl\u2028au\u0007")));

        assertThat(stored().path("spec")).isEqualTo(json("{'color':'bl\u2028au\\u0007'}"));
        assertThat(writes()).hasSize(2).allSatisfy(request -> assertThat(request.query())
                .isEqualTo("fieldManager=manager&force=true"));
        assertThat(writes().getLast().body()).as("read as YAML").contains((char) 92 + "u2028");
    }

    @Test
    void a_cluster_scoped_object_of_the_core_group_is_changed_as_any_other() {
        apply(ObjectChange.apply(NODE, ObjectKey.clusterScoped("n"),
                Tree.of(Map.of("metadata", Map.of("labels", Map.of("a", "b"))))));
        assertThat(server.get("nodes", "", "n").orElseThrow().at("/metadata/labels/a").asText()).isEqualTo("b");
    }

    @Test
    void each_patch_holds_on_the_version_that_it_was_planned_from() {
        Metadata found = create();
        Tree merge = Tree.of(Map.of("spec", Map.of("size", 4, "color", Tree.ABSENT)));
        JsonPatch json = JsonPatch.EMPTY.replace(List.of("spec", "size"), Tree.of(5));

        assertThat(apply(ObjectChange.mergePatch(WIDGET, found, merge))).isEqualTo(new Applied.Written());
        assertThat(stored().path("spec")).isEqualTo(json("{'size':4}"));
        for (ObjectChange older : List.of(ObjectChange.mergePatch(WIDGET, found, merge),
                ObjectChange.jsonPatch(WIDGET, found, json), ObjectChange.delete(WIDGET, found),
                ObjectChange.apply(WIDGET, KEY, content("size", 6)).on(Preconditions.of(found)))) {
            assertThatThrownBy(() -> apply(older)).as(older.done()).isInstanceOf(ApiFailure.Conflict.class);
        }
        assertThat(apply(ObjectChange.jsonPatch(WIDGET, metadata(), json))).isEqualTo(new Applied.Written());
        assertThat(stored().path("spec")).isEqualTo(json("{'size':5}"));
    }

    @Test
    void what_holds_on_the_uid_alone_is_made_to_any_version_and_to_no_other_object() {
        Metadata found = create();
        server.mergePatch("widgets", "default", "w", json("{'spec':{'size':4}}"));
        ObjectChange patch = ObjectChange.jsonPatch(
                WIDGET, found, JsonPatch.EMPTY.add(List.of("spec", "color"), Tree.of("blue")))
                .on(Preconditions.uid(found));
        assertThat(apply(patch)).isEqualTo(new Applied.Written());
        assertThat(stored().path("spec")).isEqualTo(json("{'size':4,'color':'blue'}"));

        server.delete("widgets", "default", "w");
        create();
        for (ObjectChange other : List.of(patch, ObjectChange.delete(WIDGET, found).on(Preconditions.uid(found)))) {
            assertThatThrownBy(() -> apply(other)).as(other.done()).isInstanceOf(ApiFailure.Conflict.class);
        }
    }

    private ObjectChange eviction() throws IOException {
        Metadata pod = Replies.metadata(api.get(POD.resource(), KEY));
        return ObjectChange.of(POD, pod, new Verb.Delete(true)).on(Preconditions.uid(pod));
    }

    private void budget(String name) {
        server.create("poddisruptionbudgets",
                json("{'metadata':{'namespace':'default','name':'%s'},'spec':{'selector':{}}}"
                        .formatted(name)));
    }

    private void pod() {
        server.create("pods", json("""
                {'metadata':{'namespace':'default','name':'w'},'spec':{'automountServiceAccountToken':false,
                 'containers':[{'name':'c','image':'i'}]},
                 'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}"""));
    }

    @Test
    void a_deletion_that_asks_budgets_is_an_eviction_of_this_pod_and_no_other() throws IOException {
        pod();
        ObjectChange eviction = eviction();
        assertThat(apply(eviction)).isEqualTo(new Applied.Written());
        assertThat(writes()).last().satisfies(request -> {
            assertThat(request.path()).isEqualTo("/api/v1/namespaces/default/pods/w/eviction");
            assertThat(json(request.body())).isEqualTo(json("""
                    {'apiVersion':'policy/v1','kind':'Eviction','metadata':{'namespace':'default','name':'w'},
                     'deleteOptions':{'preconditions':{'uid':'%s'}}}""".formatted(eviction.preconditions().uid())));
        });
        assertThat(server.get("pods", "default", "w")).isEmpty();
        assertThat(apply(eviction)).isEqualTo(new Applied.Gone());
        pod();
        assertThatThrownBy(() -> apply(eviction)).isInstanceOf(ApiFailure.Conflict.class);
    }

    @Test
    void a_budget_that_holds_up_an_eviction_is_named_and_another_failure_is_none() throws IOException {
        pod();
        budget("one");
        assertThat(apply(eviction())).isInstanceOfSatisfying(Applied.Unavailable.class,
                held -> assertThat(held.awaited()).startsWith("The disruption budget one "));
        budget("two");
        assertThat(apply(eviction())).isInstanceOfSatisfying(Applied.Unavailable.class,
                held -> assertThat(held.awaited()).contains("more than one PodDisruptionBudget"));
        assertThat(server.get("pods", "default", "w")).isPresent();
        ObjectChange eviction = eviction();
        server.fault(any -> true, Fault.tooManyRequests(1));
        assertThatThrownBy(() -> apply(eviction)).isInstanceOf(ApiFailure.Throttled.class);
    }

    /** A caller may have to know when the object is gone. */
    @Test
    void a_deletion_that_the_server_may_have_made_is_neither_made_nor_refused() throws IOException {
        pod();
        Metadata widget = create();
        for (ObjectChange deletion : List.of(eviction(), ObjectChange.delete(WIDGET, widget))) {
            for (Fault fault : List.of(Fault.status(500, "InternalError", "no etcd"), new Fault.Cut(0))) {
                server.fault(request -> !request.method().equals("GET"), fault);
                assertThat(apply(deletion)).as("%s, %s", deletion.done(), fault)
                        .isInstanceOfSatisfying(Applied.Unanswered.class, unanswered -> assertThat(unanswered.failure())
                                .isInstanceOf(ApiFailure.Unreachable.class));
            }
        }
        server.fault(any -> true, Fault.status(500, "InternalError", "no etcd"));
        assertThatThrownBy(() -> apply(ObjectChange.mergePatch(WIDGET, widget, content("size", 5))))
                .isInstanceOf(ApiFailure.Unreachable.class);
    }

    @Test
    void a_status_is_applied_to_an_object_in_whatever_version_and_creates_none() {
        Metadata found = create();
        ObjectChange update = ObjectChange.applyStatus(WIDGET, found, Tree.of(Map.of("phase", "on")));
        server.mergePatch("widgets", "default", "w", json("{'spec':{'size':4}}"));
        assertThat(apply(update)).isEqualTo(new Applied.Written());
        assertThat(stored().at("/status/phase").asText()).isEqualTo("on");
        assertThat(stored().at("/spec/size").asInt()).isEqualTo(4);
        assertThat(writes().getLast().path()).endsWith("/widgets/w/status");

        server.delete("widgets", "default", "w");
        assertThat(apply(update)).isEqualTo(new Applied.Gone());
        assertThat(server.get("widgets", "default", "w")).isEmpty();
    }

    @Test
    void where_a_server_would_take_another_uid_for_a_change_of_it_a_uid_alone_is_a_mistake() {
        Metadata found = create();
        for (ObjectChange update : List.of(ObjectChange.mergePatch(WIDGET, found, content("size", 6)),
                ObjectChange.apply(WIDGET, KEY, content("size", 6)),
                ObjectChange.create(WIDGET, KEY, content("size", 6)))) {
            assertThatIllegalArgumentException().isThrownBy(() -> update.on(Preconditions.uid(found)));
        }
    }

    @Test
    void what_is_gone_is_deleted_and_no_patch_of_it_is_taken_for_made() {
        Metadata found = create();
        assertThat(apply(ObjectChange.delete(WIDGET, found))).isEqualTo(new Applied.Written());
        assertThat(server.get("widgets", "default", "w")).isEmpty();

        assertThat(apply(ObjectChange.delete(WIDGET, found))).isEqualTo(new Applied.Gone());
        for (ObjectChange patch : List.of(ObjectChange.jsonPatch(WIDGET, found, JsonPatch.EMPTY),
                ObjectChange.mergePatch(WIDGET, found, content("size", 6)))) {
            assertThatThrownBy(() -> apply(patch)).isInstanceOf(ApiFailure.NotFound.class);
        }
        assertThatThrownBy(() -> apply(ObjectChange.apply(WIDGET, KEY, content("size", 6))
                .on(Preconditions.of(found)))).isInstanceOf(ApiFailure.Conflict.class);
        assertThat(apply(ObjectChange.mergePatch(WIDGET, found, content("size", 6)).of(Part.ANNOTATIONS, Map.of())))
                .as("a part of it").isEqualTo(new Applied.Gone());
    }

    @Test
    void changes_are_counted_by_what_became_of_them() {
        Metadata found = create();
        server.mergePatch("widgets", "default", "w", json("{'spec':{'size':4}}"));
        assertThatThrownBy(() -> apply(ObjectChange.mergePatch(WIDGET, found, content("size", 5))))
                .isInstanceOf(ApiFailure.Conflict.class);
        server.fault(request -> request.method().equals("PATCH"), Fault.status(403, "Forbidden", "you may not"));
        assertThatThrownBy(() -> apply(ObjectChange.mergePatch(WIDGET, metadata(), content("size", 5))))
                .isInstanceOf(ApiFailure.Forbidden.class);
        apply(ObjectChange.delete(WIDGET, metadata()));

        assertThat(written("written")).isEqualTo(2);
        assertThat(written("conflict")).isEqualTo(1);
        assertThat(written("rejected")).isEqualTo(1);
    }

    @Test
    void a_change_that_stands_for_something_else_is_counted_as_that_and_written_by_its_manager() {
        Metadata found = create();
        Map<Part, String> names = Map.of(Part.ANNOTATIONS, "nodeward.annotation.writes",
                Part.DECLARED_TAINTS, "nodeward.declared.taints.writes");
        names.forEach((part, name) -> {
            ObjectChange change = ObjectChange.of(WIDGET, metadata(), new Verb.Apply(content("size", 3), false))
                    .by("another").of(part, Map.of());
            assertThat(apply(change)).isEqualTo(new Applied.Written());
            assertThat(new WriteMeters(registry).dryRun().apply(change, "manager", false))
                    .isEqualTo(new Applied.DryRun());
            assertThat(registry.get(name).tag("result", "written").counter().count()).as(name).isOne();
            assertThat(registry.get(name).tag("result", "dry_run").counter().count()).as(name).isOne();
        });
        assertThat(writes().getLast().query()).isEqualTo("fieldManager=another");
        assertThat(writes().getLast().body())
                .contains("\"uid\":\"" + found.uid()).containsPattern("\"resourceVersion\":\"[0-9]+\"");
        assertThat(writes()).as("a dry run sends nothing").hasSize(3);
    }

    private double written(String result) {
        return registry.get("nodeward.object.writes").tag("result", result).counter().count();
    }

    @Test
    void what_refuses_a_change_is_reported_with_the_kind_and_the_object() {
        ObjectChange update = ObjectChange.create(WIDGET, KEY, content("size", 3));
        ApiFailure failure = ApiFailure.of(new Status(422, "Invalid", "too large", 0), "POST", Optional.empty());
        assertThat(update.refused(failure).reason()).isEqualTo("WidgetRejected");
        assertThat(update.refused(failure).message()).isEqualTo("Widget default/w was refused: too large");
    }

    private Metadata create() {
        apply(ObjectChange.create(WIDGET, KEY, content("size", 3)));
        return metadata();
    }

    private Applied apply(ObjectChange update) {
        return new ChangeWriter(api, new WriteMeters(registry)).apply(update, "manager", false);
    }

    private static Tree content(String field, Object value) {
        return Tree.of(Map.of("metadata", Map.of("labels", Map.of("a", "b")), "spec", Map.of(field, value)));
    }

    private List<Request> writes() {
        return server.requests().stream().filter(request -> !request.method().equals("GET")).toList();
    }

    private JsonNode stored() {
        return server.get("widgets", "default", "w").orElseThrow();
    }

    private Metadata metadata() {
        try {
            return Replies.metadata(new ObjectMapper().writeValueAsBytes(stored()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
