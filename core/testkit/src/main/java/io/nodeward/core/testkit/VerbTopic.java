package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every verb, over a backend to a server. */
abstract class VerbTopic extends ServedTopic {
    private static final String VALUE = "s3cr3t-valu3-0f-th3-c0ntract";
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Each verb's way through this backend to this server and back; what a server makes of it is ServerContract's. */
    @Test
    void every_verb_reaches_the_server_and_its_answer_comes_back() throws IOException {
        Metadata created = node(api, "a");
        node(api, "b");
        Response watch = closing(api.watch(NODES, "", ListOptions.watchFrom(label(), created.resourceVersion(), LONG)));
        String first = text(closing(api.list(NODES, "", ListOptions.page(label(), 1, ""))));
        String token = json(bytes(first)).path("metadata").path("continue").asText();
        assertThat(first).contains(name("a")).doesNotContain(name("b"));
        assertThat(text(closing(api.list(NODES, "", ListOptions.page(label(), 1, token))))).contains(name("b"));
        for (Patch patch : patches(created.resourceVersion())) {
            assertThat(Replies.metadata(api.patch(NODES, created.key(), patch)).uid()).isEqualTo(created.uid());
        }
        api.patchStatus(NODES, created.key(), merge("{\"status\":{\"phase\":\"Running\"}}"));
        var node = json(api.get(NODES, created.key()));
        assertThat(node.path("metadata").path("labels").toString()).contains("tested", "merged", "applied");
        assertThat(node.path("status").path("phase").asText()).isEqualTo("Running");
        api.delete(NODES, created.key());
        assertThatThrownBy(() -> api.get(NODES, created.key())).isInstanceOf(ApiFailure.NotFound.class);
        assertThat(new String(watch.body().readNBytes(10), StandardCharsets.UTF_8)).contains("type");
    }

    @Test
    void the_options_of_a_verb_reach_the_server_too() throws IOException {
        Metadata node = node(api, "a");
        node(api, "b");
        Patch patch = merge("{\"metadata\":{\"labels\":{\"tried\":\"1\"}}}");
        JsonNode tried = json(api.patch(NODES, node.key(), patch, PatchOptions.NONE.withDryRun().withWholeObject()));
        assertThat(tried.path("kind").asText()).isEqualTo("Node");
        assertThat(tried.at("/metadata/labels/tried").asText()).isEqualTo("1");
        assertThat(new String(api.get(NODES, node.key()), StandardCharsets.UTF_8)).doesNotContain("tried");
        Patch nonsense = merge("{\"spec\":{\"nonsense\":\"1\"}}");
        PatchOptions strict = PatchOptions.NONE.withFieldValidation(PatchOptions.FieldValidation.STRICT);
        assertThatThrownBy(() -> api.patch(NODES, node.key(), nonsense, strict))
                .isInstanceOf(ApiFailure.Rejected.class);
        byte[] odd = bytes("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"spec":{"nonsense":"1"}}""".formatted(
                name("c")));
        assertThatThrownBy(() -> api.create(NODES, "", odd, WRITER, strict)).isInstanceOf(ApiFailure.Rejected.class);
        JsonNode made = json(api.create(NODES, "", odd, WRITER, PatchOptions.NONE.withDryRun().withWholeObject()));
        assertThat(made.path("kind").asText()).isEqualTo("Node");
        assertThatThrownBy(() -> api.get(NODES, ObjectKey.clusterScoped(name("c"))))
                .isInstanceOf(ApiFailure.NotFound.class);
        ListOptions one = ListOptions.page(label(), 0, "").withFieldSelector("metadata.name!=" + name("b"));
        assertThat(new String(api.page(NODES, "", one), StandardCharsets.UTF_8))
                .contains(name("a")).doesNotContain(name("b"));
    }

    @Test
    void the_answer_to_what_is_posted_comes_back_whole() throws IOException {
        Metadata created = node(api(), "a");
        api().delete(NODES, created.key());
        JsonNode answer = json(api().post(NODES, bytes("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"spec":{"providerID":"posted://a"}}
                """.formatted(name("a")))));
        assertThat(answer.at("/spec/providerID").asText()).isEqualTo("posted://a");
        api().delete(NODES, created.key());
    }

    @Test
    void metadata_alone_is_listed_and_watched() throws IOException {
        Metadata created = node(api, "a");
        String list = text(closing(api.list(NODES, "", ListOptions.page(label(), 0, "").withMetadataOnly())));
        assertThat(list).contains("PartialObjectMetadataList", name("a"));
        Response watch = closing(api.watch(NODES, "",
                ListOptions.watchFrom(label(), created.resourceVersion(), LONG).withMetadataOnly()));
        api.delete(NODES, created.key());
        var events = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8));
        JsonNode event = json(bytes(events.readLine()));
        assertThat(event.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(event.at("/object/metadata/name").asText()).isEqualTo(name("a"));
        assertThat(event.path("object").has("spec")).isFalse();
    }

    private List<Patch> patches(String resourceVersion) {
        return List.of(
                Patch.json(bytes("""
                        [{"op":"test","path":"/metadata/resourceVersion","value":"%s"},
                         {"op":"add","path":"/metadata/labels/tested","value":"1"}]""".formatted(resourceVersion)),
                        WRITER),
                merge("{\"metadata\":{\"labels\":{\"merged\":\"1\"}}}"),
                Patch.apply(bytes("""
                        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"applied":"1"}}}
                        """.formatted(name("a"))), "applier", false));
    }

    @Test
    void every_verb_goes_through_the_proxy() throws IOException {
        ForwardProxy proxy = closing(new ForwardProxy(0));
        ApiServer api = api(Kubeconfigs.changed(server().kubeconfig(), "proxy-url", proxy.url()));
        Metadata node = node(api, "a");
        assertThat(proxy.heads()).isNotEmpty();
        var events = closing(api.watch(NODES, "", ListOptions.watchFrom(
                label(), node.resourceVersion(), Duration.ofMinutes(5))));
        api.patch(NODES, node.key(), merge("{\"metadata\":{\"labels\":{\"through\":\"proxy\"}}}"));
        assertThat(new String(events.body().readNBytes(10))).contains("type");
        api.list(NODES, "", ListOptions.page(label(), 0, "")).close();
        api.delete(NODES, node.key());
    }

    @Test
    void no_verb_on_the_server_logs_a_credential_or_what_is_in_a_secret() throws IOException {
        String guest = server().guest().kubeconfig();
        try (EveryLog log = new EveryLog()) {
            useSecrets(api());
            String text = SecrecyTopic.everyVerb(api(guest), node(api(), "a").key());
            List<String> hidden = new ArrayList<>(List.of(VALUE, Base64.getEncoder().encodeToString(bytes(VALUE))));
            hidden.addAll(credentialsOf(guest));
            hidden.addAll(credentialsOf(server().kubeconfig()));
            assertThat(hidden).hasSizeGreaterThan(3);
            SecrecyTopic.assertHidden(log, text, hidden);
        }
    }

    private void useSecrets(ApiServer api) throws IOException {
        String data = Base64.getEncoder().encodeToString(bytes(VALUE));
        String secret = new String(secretJson(name("a")), StandardCharsets.UTF_8).replace("aGVsbG8=", data);
        Metadata created = created(api, SECRETS, "default", bytes(secret));
        assertThat(json(api.get(SECRETS, created.key())).path("data").path("value").asText()).isEqualTo(data);
        assertThat(text(closing(api.list(SECRETS, "default", ListOptions.page(label(), 0, ""))))).contains(data);
        Response watch = closing(api.watch(SECRETS, "default", ListOptions.watchList(label(), LONG)));
        assertThat(watch.body().readNBytes(100)).hasSize(100);
        api.patch(SECRETS, created.key(), merge("{\"stringData\":{\"more\":\"%s\"}}".formatted(VALUE)));
        assertThat(catchThrowable(() -> api.create(SECRETS, "default", bytes(secret), WRITER))).isNotNull();
    }

    private static List<String> credentialsOf(String kubeconfig) throws IOException {
        JsonNode user = Kubeconfigs.user(kubeconfig);
        List<String> all = new ArrayList<>(SecrecyTopic.lines(user.path("client-key-data").asText()));
        for (String field : List.of("token", "password", "client-key-data")) {
            all.add(user.path(field).asText());
        }
        all.removeIf(String::isEmpty);
        return all;
    }
}
