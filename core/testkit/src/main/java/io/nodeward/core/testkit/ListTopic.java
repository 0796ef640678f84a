package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

abstract class ListTopic extends ServedTopic {
    @Test
    void pages_follow_one_another_until_the_last_and_are_one_state() throws IOException {
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
        node(api, "a");
        node(api, "b");
        List<String> names = new ArrayList<>();
        assertThat(page(api, ListOptions.page(label(), 0, ""), names).continueToken()).isEmpty();
        assertThat(names).containsExactly(name("a"), name("b"));
    }

    @Test
    void a_label_selector_leaves_out_what_does_not_match() throws IOException {
        node(api, "a");
        List<String> names = new ArrayList<>();
        page(api, ListOptions.page(label() + ",nodeward.test/other=yes", 0, ""), names);
        assertThat(names).isEmpty();
    }

    @Test
    void metadata_alone_can_be_asked_for() throws IOException {
        created(api, SECRETS, "default", secretJson(name("a")));
        try (Response answer = api.list(SECRETS, "", ListOptions.page(label(), 0, "").withMetadataOnly())) {
            var list = json(answer.body().readAllBytes());
            assertThat(list.path("items")).hasSize(1);
            assertThat(list.path("items").get(0).path("metadata").path("name").asText()).isEqualTo(name("a"));
            assertThat(list.path("items").get(0).has("data")).isFalse();
        }
    }

    @Test
    void one_namespace_or_all_of_them() throws IOException {
        created(api, SECRETS, "default", secretJson(name("a")));
        created(api, SECRETS, "kube-system", secretJson(name("b")));
        assertThat(text(closing(api.list(SECRETS, "default", ListOptions.page(label(), 0, "")))))
                .contains(name("a"))
                .doesNotContain(name("b"));
        assertThat(text(closing(api.list(SECRETS, "", ListOptions.page(label(), 0, "")))))
                .contains(name("a"), name("b"));
    }

    @Test
    void a_list_of_what_nobody_serves_is_not_served() {
        Resource things = new Resource("nobody.test", "v1", "things", false);
        assertThatThrownBy(() -> api.list(things, "", ListOptions.page("", 0, "")))
                .isInstanceOf(ApiFailure.NotServed.class);
    }

    private static ListPage page(ApiServer api, ListOptions options, List<String> names) throws IOException {
        try (Response answer = api.list(NODES, "", options)) {
            return ListPage.read(answer.body(), Projection.NODE, node -> names.add(nameOf(node.metadata())));
        }
    }

    private static String nameOf(Metadata metadata) {
        return metadata.key().name();
    }
}
