package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CustomResourceTest {
    private static final Projection<CustomResource<Tree>> PROJECTION =
            Projection.customResource(Shape.of(List.of(List.of("nodes"))), spec -> spec);
    private static final Condition READY = new Condition("Ready", "True", "InEffect", "",
            Instant.parse("2026-11-21T10:00:00Z"), 3);
    private static final String STATUS = "'status':{'conditions':[{'type':'Ready','status':'True','reason':'InEffect',"
            + "'message':'','observedGeneration':3,'lastTransitionTime':'2026-11-21T10:00:00Z'}],'other':[1]}";

    @Test
    void the_spec_is_read_by_who_defines_it_and_conditions_with_their_generation() throws IOException {
        CustomResource<Tree> quota = read("""
                {'kind':'Quota','metadata':{'name':'q','generation':4,'resourceVersion':'7','managedFields':[{}],
                  'creationTimestamp':'2026-11-20T09:00:00Z'},
                 'spec':{'nodes':5,'other':{'nodes':6}},%s}""".formatted(STATUS));
        assertThat(quota.key()).isEqualTo(ObjectKey.clusterScoped("q"));
        assertThat(quota.generation()).isEqualTo(4);
        assertThat(quota.created()).isEqualTo("2026-11-20T09:00:00Z");
        assertThat(quota.withResourceVersion("8").created()).isEqualTo(quota.created());
        assertThat(quota.spec()).isEqualTo(Tree.of(Map.of("nodes", 5)));
        assertThat(quota.conditions()).containsExactly(READY);
    }

    @Test
    void parts_of_another_type_are_as_good_as_absent() throws IOException {
        CustomResource<Tree> quota = read(
                "{'metadata':{'name':'q','generation':{},'creationTimestamp':'now'},'spec':'none','status':{'conditions':{}}}");
        assertThat(quota.generation()).isZero();
        assertThat(quota.created()).isEqualTo(Instant.EPOCH);
        assertThat(quota.spec().at("nodes")).isEqualTo(Tree.ABSENT);
        assertThat(quota.conditions()).isEmpty();
        assertThat(read("{'metadata':{'name':'q'}}").spec()).isEqualTo(Tree.ABSENT);
    }

    @Test
    void an_array_of_too_many_elements_is_absent_and_the_rest_of_the_object_is_read() throws IOException {
        String spec = "{'metadata':{'name':'q'},'spec':{'nodes':[" + "[0],".repeat(99_999) + "[0]%s]},%s}";
        assertThat(read(spec.formatted("", STATUS)).spec().at("nodes").elements()).hasSize(100_000);
        CustomResource<Tree> quota = read(spec.formatted(",[0],{'a':[0]}", STATUS));
        assertThat(quota.key()).isEqualTo(ObjectKey.clusterScoped("q"));
        assertThat(quota.spec().at("nodes")).isEqualTo(Tree.ABSENT);
        assertThat(quota.conditions()).containsExactly(READY);
    }

    @Test
    void a_newer_status_declares_nothing_new_and_anything_else_does() throws IOException {
        String head = "{'metadata':{'name':'q','generation':4,'resourceVersion':'7'},'spec':{'nodes':5}";
        CustomResource<Tree> quota = read(head + "}");
        assertThat(quota.declaresAs(read(head.replace("'7'", "'8'") + "," + STATUS + "}"))).isTrue();
        assertThat(quota.sameState(read(head + "," + STATUS + "}"))).isFalse();
        for (String other : List.of(head.replace("5", "6"), head.replace("'generation':4", "'generation':5"),
                head.replace("'name':'q'", "'name':'q','deletionTimestamp':'2026-11-21T10:00:00Z'"),
                head.replace("'name':'q'", "'name':'q','labels':{'a':'b'}"))) {
            assertThat(quota.declaresAs(read(other + "}"))).as(other).isFalse();
        }
    }

    @Test
    void the_rest_of_the_status_is_one_text_whatever_the_order_of_its_fields() throws IOException {
        String status = "{'metadata':{'name':'q'},'status':{'p':[{'p':1,'a':null}],'conditions':[],'a':'1'}}";
        CustomResource<Tree> quota = read(status);
        assertThat(quota.status()).isEqualTo("{\"a\":\"1\",\"p\":[{\"a\":null,\"p\":1}]}");
        assertThat(read("{'status':{'a':'1','p':[{'a':null,'p':1}]},'metadata':{'name':'q'}}")).isEqualTo(quota);
        assertThat(Trees.read(quota.status()).at("a").string()).isEqualTo("1");
        assertThat(read("{'metadata':{'name':'q'},'status':'none'}").status()).isEqualTo("{}");
    }

    @Test
    void a_whole_status_of_a_cluster_scoped_object_is_written_in_one_body_that_holds_on_the_version_and_is_read_as_yaml() {
        Event.Regarding object = new Event.Regarding(
                "example.com/v1", "Quota", ObjectKey.clusterScoped("q"), "u", "7");
        String lineSeparator = String.valueOf((char) 0x2028);
        assertThat(new String(StatusPatch.of(object, false, List.of(READY), Map.of("text", Tree.of(lineSeparator))),
                StandardCharsets.UTF_8)).isEqualTo("""
                        {"apiVersion":"example.com/v1","kind":"Quota","metadata":{"name":"q","uid":"u",\
                        "resourceVersion":"7"},\
                        "status":{"conditions":[{"type":"Ready","status":"True","reason":"InEffect","message":"",\
                        "lastTransitionTime":"2026-11-21T10:00:00Z","observedGeneration":3}],\
                        "text":"%su2028"}}""".formatted((char) 92));
    }

    @Test
    void an_integer_is_read_and_nothing_else() throws IOException {
        Tree spec = Trees.read("{\"a\":5,\"b\":5.5,\"c\":\"5\",\"d\":true,\"e\":99999999999999999999}".getBytes(
                StandardCharsets.UTF_8));
        assertThat(spec.at("a").integer()).isEqualTo(OptionalLong.of(5));
        assertThat(List.of("b", "c", "d", "e", "f")).allSatisfy(
                field -> assertThat(spec.at(field).integer()).as(field).isEmpty());
    }

    private static CustomResource<Tree> read(String json) throws IOException {
        return PROJECTION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
