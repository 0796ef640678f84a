package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionKind;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionResource;
import io.nodeward.api.admission.AdmissionRequest.UserInfo;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.AdmissionResponse.Refusal;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.AdmissionReviews.Start;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionReviewsTest {
    private static final String HEAD = "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':";

    @Test
    void a_request_is_read_with_the_parts_that_are_asked_for() throws IOException {
        AdmissionRequest request = read(
                HEAD + """
                        {'uid':'u','kind':{'group':'g','version':'v1','kind':'K'},'resource':{'group':'other'},'operation':'UPDATE',
                         'object':{'kind':'K','metadata':{'name':'n','managedFields':[{'manager':'m'}]},
                          'spec':{'t':'x','n':5,'b':true,'none':null,'list':[{'a':'1'},2.5,null]},'status':{'big':{}}},
                         'oldObject':null}}""");

        assertThat(request).isEqualTo(new AdmissionRequest("u", new GroupVersionKind("g", "v1", "K"),
                new GroupVersionResource("other", "", ""), "", "", "", "UPDATE", UserInfo.UNKNOWN, false,
                new Tree.Fields(Map.of(
                        "metadata", new Tree.Fields(Map.of("name", new Tree.Text("n"))),
                        "spec", new Tree.Fields(Map.of(
                                "t", new Tree.Text("x"),
                                "n", new Tree.Other("number", "5"),
                                "b", new Tree.Other("boolean", "true"),
                                "none", Tree.ABSENT,
                                "list", new Tree.Items(List.of(
                                        new Tree.Fields(Map.of("a", new Tree.Text("1"))),
                                        new Tree.Other("number", "2.5"),
                                        Tree.ABSENT)))))),
                Tree.ABSENT));
        assertThat(request.object().at(List.of("spec", "t")).string()).isEqualTo("x");
        assertThat(request.object().at(List.of("spec", "t", "below"))).isEqualTo(Tree.ABSENT);
        assertThat(request.object().at("spec").at("list").elements()).hasSize(3);
        assertThat(request.object().at("spec").elements()).isEmpty();
        assertThat(List.of("spec", "none", "n", "list", "t").stream()
                .map(field -> field.equals("spec") ? request.object().at(field) : request.object().at("spec").at(field))
                .map(Tree::type)).containsExactly("object", "null", "number", "array", "string");
    }

    @Test
    void the_start_of_a_review_says_whose_it_is_before_its_objects_have_come() {
        String request =
                "'uid':'u','kind':{'namespace':'x'},'name':'p','namespace':'n','userInfo':{'namespace':'y'},'object':{'a':";
        assertThat(start(HEAD + "{" + request)).contains(new Start("u", Optional.of("n")));
        assertThat(start(HEAD + "{" + request + "5,'namespace':'z'}}}")).contains(new Start("u", Optional.of("n")));
        assertThat(start(HEAD + "{'uid':'u','name':'p','operation':'CREATE','userInf")).as("of the cluster")
                .contains(new Start("u", Optional.of("")));
        assertThat(start(HEAD + "{'uid':'u','name':'p','namesp")).as("cut off")
                .contains(new Start("u", Optional.empty()));
        assertThat(start(HEAD + "{'uid':'u','namespace':'" + "n".repeat(254) + "'}}"))
                .contains(new Start("u", Optional.empty()));
        assertThat(start(HEAD + "{'namespace':'n'}}")).isEmpty();
        assertThat(start("{'request':{" + request)).as("no review").isEmpty();
    }

    private static Optional<Start> start(String review) {
        return AdmissionReviews.start(review.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", "[]", "5", "{}",
            "{'apiVersion':'admission.k8s.io/v1beta1','kind':'AdmissionReview','request':{'uid':'u'}}",
            "{'apiVersion':'admission.k8s.io/v1','kind':'Review','request':{'uid':'u'}}",
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{}}",
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}",
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u'"
    })
    void anything_else_is_refused(String review) {
        assertThatThrownBy(() -> read(review)).isInstanceOf(IOException.class);
    }

    @Test
    void what_is_too_deep_is_absent_and_the_rest_is_read() throws IOException {
        String deep = "{'a':".repeat(5_000) + "1" + "}".repeat(5_000);
        AdmissionRequest request = read(HEAD + "{'uid':'u','object':{'spec':{'deep':" + deep + ",'t':'x'}}}}");

        assertThat(request.object().at("spec").at("t").string()).isEqualTo("x");
        assertThat(request.object().at("spec").at("deep").type()).isEqualTo("object");
    }

    @Test
    void elements_of_an_array_are_read_by_the_shape_of_the_array() throws IOException {
        AdmissionRequest request = read(HEAD + """
                {'uid':'u','object':{'spec':{'workers':[
                 {'name':'a','taints':[{'key':'k','more':[1]}],'variables':[{'v':1}]},5],'other':{}}}}}""",
                Shape.of(List.of(
                        List.of("spec", "workers", "name"), List.of("spec", "workers", "taints"))));

        assertThat(request.object()).isEqualTo(Tree.of(Map.of("spec", Map.of("workers", List.of(
                Map.of("name", "a", "taints", List.of(Map.of("key", "k", "more", List.of(1)))), 5)))));
    }

    @Test
    void more_values_than_so_many_bytes_of_an_object_can_have_are_refused_and_what_is_not_read_does_not_count()
            throws IOException {
        String many = "{'uid':'u','object':{'spec':{'a':[" + "0,".repeat(40_000) + "0],'b':[" + "0,".repeat(9_000)
                + "0]}}}}";

        assertThatThrownBy(() -> read(HEAD + many)).isInstanceOf(IOException.class)
                .hasMessageMatching("more than 12\\d{3} values");
        assertThat(read(HEAD + many, Shape.of(List.of(List.of("spec", "b")))).object().at("spec").at("b").elements())
                .hasSize(9_001);
    }

    @Test
    void the_shortest_annotations_are_not_too_many_values() throws IOException {
        String annotations =
                IntStream.range(0, 50_000).mapToObj(i -> "'" + i + "':''").collect(Collectors.joining(","));
        assertThat(read(HEAD + "{'uid':'u','object':{'spec':{" + annotations + "}}}}").object().at("spec"))
                .isInstanceOfSatisfying(Tree.Fields.class, spec -> assertThat(spec.fields()).hasSize(50_000));
    }

    @Test
    void an_answer_says_why_only_where_it_refuses() {
        assertThat(text(allowed(List.of()))).isEqualTo(
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':{'uid':'u','allowed':true}}");
        assertThat(text(invalid("why", "w", "x".repeat(300)))).isEqualTo(
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':{'uid':'u','allowed':false,"
                        + "'status':{'code':422,'reason':'Invalid','message':'why'},'warnings':['w','"
                        + "x".repeat(250) + "']}}");
    }

    @Test
    void what_is_too_long_is_cut_between_characters() {
        String clef = "\uD834\uDD1E"; // one character in two
        String written = "\\uD834\\uDD1E";
        assertThat(text(allowed(List.of("x".repeat(249) + clef))))
                .endsWith("'warnings':['" + "x".repeat(249) + "']}}");
        assertThat(text(allowed(List.of("x".repeat(248) + clef))))
                .endsWith("'warnings':['" + "x".repeat(248) + written + "']}}");
        assertThat(text(invalid("y".repeat(4095) + clef)))
                .endsWith("'message':'" + "y".repeat(4095) + "'}}}");
        assertThat(text(allowed(Collections.nCopies(100, "w"))))
                .endsWith("'warnings':['w'" + ",'w'".repeat(31) + "]}}");
    }

    @Test
    void who_asks_and_for_what_is_read() throws IOException {
        AdmissionRequest request = read(HEAD + """
                {'uid':'u','kind':{'group':'','version':'v1','kind':'Binding'},
                 'resource':{'group':'','version':'v1','resource':'pods'},'subResource':'binding','namespace':'n',
                 'name':'p','operation':'CREATE','dryRun':true,'options':{'kind':'CreateOptions'},
                 'userInfo':{'username':'jane','uid':'7','groups':['a','b',5,null],
                  'extra':{'scopes':['x','y'],'odd':'z'}}}}""");

        assertThat(request.kind()).isEqualTo(new GroupVersionKind("", "v1", "Binding"));
        assertThat(request.resource()).isEqualTo(new GroupVersionResource("", "v1", "pods"));
        assertThat(request.subresource()).isEqualTo("binding");
        assertThat(request.namespace()).isEqualTo("n");
        assertThat(request.name()).isEqualTo("p");
        assertThat(request.dryRun()).isTrue();
        assertThat(request.userInfo()).isEqualTo(new UserInfo("jane", "7", List.of("a", "b"),
                Map.of("scopes", List.of("x", "y"), "odd", List.of())));
        assertThat(request.object()).isEqualTo(Tree.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"'userInfo':{'groups':[%s]}", "'userInfo':{'extra':{'a':[%s]}}", "'kind':{'kind':[%s]}"})
    void a_request_cannot_fill_the_memory_beside_its_objects_either(String part) {
        String many = part.formatted("0,".repeat(9_000) + "0");

        assertThatThrownBy(() -> read(HEAD + "{'uid':'u'," + many + "}}")).isInstanceOf(IOException.class)
                .hasMessageMatching("more than 2\\d{3} values");
    }

    @Test
    void a_uid_that_no_api_server_makes_is_refused_without_being_quoted() {
        assertThatThrownBy(() -> read(HEAD + "{'uid':'" + "u".repeat(254) + "'}}"))
                .hasMessage("a request with a uid of more than 253 characters");
    }

    @Test
    void a_patch_is_sent_as_base64_with_its_type() {
        JsonPatch patch = JsonPatch.EMPTY
                .test(List.of("metadata", "labels", "a/b~c"), new Tree.Text("x"))
                .add(List.of("spec", "tolerations", "-"), Tree.of(Map.of("key", "k", "tolerationSeconds", 1L << 40)))
                .replace(List.of("spec", "n"), Tree.ABSENT)
                .remove(List.of("spec", "gone"));

        String written = text(allowed(List.of("w")).withPatch(patch));
        assertThat(written).startsWith("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':{"
                + "'uid':'u','allowed':true,'patchType':'JSONPatch','patch':'").endsWith("','warnings':['w']}}");
        String sent = written.replaceAll("^.*'patch':'([^']*)'.*$", "$1");
        assertThat(new String(Base64.getDecoder().decode(sent), StandardCharsets.UTF_8).replace('"', '\''))
                .isEqualTo("[{'op':'test','path':'/metadata/labels/a~1b~0c','value':'x'},"
                        + "{'op':'add','path':'/spec/tolerations/-',"
                        + "'value':{'key':'k','tolerationSeconds':1099511627776}},"
                        + "{'op':'replace','path':'/spec/n','value':null},{'op':'remove','path':'/spec/gone'}]");
        assertThat(text(allowed(List.of()).withPatch(JsonPatch.EMPTY))).endsWith("'allowed':true}}");
    }

    @Test
    void a_refusal_has_the_code_and_reason_that_the_caller_gets_and_no_patch() {
        AdmissionResponse refused = new AdmissionResponse(
                Optional.of(new Refusal(403, "Forbidden", "why")), List.of(), JsonPatch.EMPTY);

        assertThat(text(refused))
                .endsWith("'allowed':false,'status':{'code':403,'reason':'Forbidden','message':'why'}}}");
        JsonPatch patch = JsonPatch.EMPTY.remove(List.of("spec"));
        assertThatThrownBy(() -> refused.withPatch(patch)).isInstanceOf(IllegalArgumentException.class);
    }

    private static AdmissionResponse allowed(List<String> warnings) {
        return new AdmissionResponse(Optional.empty(), warnings, JsonPatch.EMPTY);
    }

    private static AdmissionResponse invalid(String message, String... warnings) {
        return new AdmissionResponse(
                Optional.of(new Refusal(422, "Invalid", message)), List.of(warnings), JsonPatch.EMPTY);
    }

    private static String text(AdmissionResponse answer) {
        return new String(AdmissionReviews.written("u", answer), StandardCharsets.UTF_8).replace('"', '\'');
    }

    /** 1,000 values are read of objects in a review however short. */
    @Test
    void the_fields_of_a_review_do_not_count_against_its_objects() throws IOException {
        assertThat(read(HEAD + "{'uid':'u','object':[" + "1,".repeat(998) + "1]}}", Shape.WHOLE).object()
                .elements()).hasSize(999);
    }

    private static AdmissionRequest read(String json) throws IOException {
        return read(json, Shape.of(List.of(List.of("metadata", "name"), List.of("spec"))));
    }

    private static AdmissionRequest read(String json, Shape shape) throws IOException {
        return AdmissionReviews.read(
                json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), AdmissionReviews.shape(shape));
    }
}
