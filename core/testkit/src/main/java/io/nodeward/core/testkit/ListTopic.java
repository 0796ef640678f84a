package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

abstract class ListTopic extends Topic {
    ListTopic(BackendContract contract) {
        super(contract);
    }

    @Test
    void pages_follow_one_another_until_the_last_and_are_one_state() throws IOException {
        ApiServer api = api();
        List<String> expected = new ArrayList<>();
        for (String suffix : List.of("a", "b", "c", "d", "e")) {
            expected.add(node(api, suffix).key().name());
        }
        List<String> names = new ArrayList<>();
        List<ListPage> pages = new ArrayList<>();
        String token = "";
        do {
            ListPage page = page(api, ListOptions.page(label(), 2, token), names);
            pages.add(page);
            token = page.continueToken();
        } while (!token.isEmpty());
        assertThat(names).containsExactlyElementsOf(expected);
        assertThat(pages).hasSize(3);
        assertThat(pages)
                .extracting(ListPage::resourceVersion)
                .doesNotContain("")
                .containsOnly(pages.getFirst().resourceVersion());
    }

    @Test
    void a_page_without_limit_holds_all() throws IOException {
        ApiServer api = api();
        node(api, "a");
        node(api, "b");
        List<String> names = new ArrayList<>();
        assertThat(page(api, ListOptions.page(label(), 0, ""), names).continueToken()).isEmpty();
        assertThat(names).containsExactly(name("a"), name("b"));
    }

    @Test
    void a_label_selector_leaves_out_what_does_not_match() throws IOException {
        ApiServer api = api();
        node(api, "a");
        List<String> names = new ArrayList<>();
        page(api, ListOptions.page(label() + ",nodeward.test/other=yes", 0, ""), names);
        assertThat(names).isEmpty();
    }

    @Test
    void metadata_alone_can_be_asked_for() throws IOException {
        ApiServer api = api();
        created(api, SECRETS, "default", secretJson(name("a")));
        try (Answer answer = api.list(SECRETS, "", ListOptions.page(label(), 0, "").withMetadataOnly())) {
            var list = json(answer.body().readAllBytes());
            assertThat(list.path("items")).hasSize(1);
            assertThat(list.path("items").get(0).path("metadata").path("name").asText()).isEqualTo(name("a"));
            assertThat(list.path("items").get(0).has("data")).isFalse();
        }
    }

    @Test
    void one_namespace_or_all_of_them() throws IOException {
        ApiServer api = api();
        created(api, SECRETS, "default", secretJson(name("a")));
        created(api, SECRETS, "kube-system", secretJson(name("b")));
        assertThat(text(closing(api.list(SECRETS, "default", ListOptions.page(label(), 0, "")))))
                .contains(name("a"))
                .doesNotContain(name("b"));
        assertThat(text(closing(api.list(SECRETS, "", ListOptions.page(label(), 0, "")))))
                .contains(name("a"), name("b"));
    }

    // Above some size servers encode their answers when asked; what arrives must be plain all the same.
    @Test
    void a_long_list_arrives_whole() throws IOException {
        ApiServer api = api();
        String long1 = "x".repeat(100_000);
        for (String suffix : List.of("a", "b", "c", "d")) {
            created(api, NODES, "", nodeJson(name(suffix), "{\"contract\":\"%s\"}".formatted(suffix + long1)));
        }
        List<Node> nodes = new ArrayList<>();
        try (Answer answer = api.list(NODES, "", ListOptions.page(label(), 0, ""))) {
            ListPage.read(answer.body(), Projection.NODE, nodes::add);
        }
        assertThat(nodes).extracting(n -> n.metadata().annotations().get("contract"))
                .containsExactly("a" + long1, "b" + long1, "c" + long1, "d" + long1);
    }

    @Test
    void the_first_item_can_be_read_before_the_last_is_sent() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        String first = "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"first\"}},";
        FaultyServer server = faulty(Replying.inTwoParts(first, goOn, "{\"metadata\":{\"name\":\"last\"}}]}"));
        Answer answer = closing(api(server.kubeconfig("t")).list(NODES, "", ListOptions.page("", 0, "")));
        byte[] read = answer.body().readNBytes(first.length());
        assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo(first);
        goOn.countDown();
        assertThat(text(answer)).contains("last");
    }

    @Test
    void a_list_cut_in_the_middle_is_an_ioexception_not_a_shorter_list() throws Exception {
        FaultyServer server = faulty(Replying.cut(200, "{\"items\":[{\"metadata\":{\"name\":\"first\"}}"));
        Answer answer = closing(api(server.kubeconfig("t")).list(NODES, "", ListOptions.page("", 0, "")));
        assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
    }

    @Test
    void a_list_of_what_nobody_serves_is_not_served() {
        ApiServer api = api();
        Resource things = new Resource("nobody.test", "v1", "things", false);
        assertThatThrownBy(() -> api.list(things, "", ListOptions.page("", 0, "")))
                .isInstanceOf(ApiFailure.NotServed.class);
    }

    private static ListPage page(ApiServer api, ListOptions options, List<String> names) throws IOException {
        try (Answer answer = api.list(NODES, "", options)) {
            return ListPage.read(answer.body(), Projection.NODE, node -> names.add(nameOf(node.metadata())));
        }
    }

    private static String nameOf(Metadata metadata) {
        return metadata.key().name();
    }
}
