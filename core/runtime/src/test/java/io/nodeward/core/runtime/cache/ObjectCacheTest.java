package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {
    private static final Index<Node> BY_PROVIDER_ID = Index.of("providerID", Node::providerId);

    private final ObjectCache<Node> cache = new ObjectCache<>(BY_PROVIDER_ID);
    private final List<String> changes = new ArrayList<>();

    private static Node node(String name, String version, String providerId, String label) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        Metadata metadata = new Metadata(key, "uid-" + name, version, Map.of("l", label), Map.of(), List.of(), false);
        return new Node(metadata, providerId, List.of());
    }

    private void record() {
        cache.subscribe(
                (before, after) -> changes.add((before == null ? "-" : before.metadata().labels().get("l")) + ">"
                        + (after == null ? "-" : after.metadata().labels().get("l"))));
    }

    @Test
    void a_heartbeat_is_kept_and_told_nobody() {
        record();
        cache.put(node("a", "1", "p", "x"));
        cache.put(node("a", "2", "p", "x"));

        assertThat(changes).containsExactly("->x");
        assertThat(cache.get(ObjectKey.clusterScoped("a")).orElseThrow().metadata().resourceVersion()).isEqualTo("2");
    }

    @Test
    void an_older_version_never_replaces_a_newer_one() {
        record();
        cache.put(node("a", "10", "p", "new"));
        cache.put(node("a", "9", "p", "old"));
        cache.remove(node("a", "9", "p", "old"));

        assertThat(changes).containsExactly("->new");
        assertThat(cache.get(ObjectKey.clusterScoped("a"))).isPresent();
    }

    @Test
    void an_own_write_is_seen_at_once_and_its_echo_changes_nothing() {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        record();
        changes.clear();

        cache.recordOwnWrite(before, node("a", "7", "p", "new"), node("a", "7", "p", "new"));
        assertThat(cache.get(before.key()).orElseThrow().metadata().labels()).containsEntry("l", "new");
        cache.put(node("a", "6", "p", "between"));
        cache.put(node("a", "7", "p", "new"));

        assertThat(changes).isEmpty();
        assertThat(cache.get(before.key()).orElseThrow().metadata().labels()).containsEntry("l", "new");
    }

    @Test
    void an_own_write_takes_the_place_of_a_heartbeat_that_came_before_it() {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        Node heartbeat = node("a", "6", "p", "old");
        cache.put(heartbeat);
        record();
        changes.clear();

        Node after = node("a", "7", "p", "new");
        assertThat(cache.recordOwnWrite(before, after, after)).contains(heartbeat);

        assertThat(changes).isEmpty();
        assertThat(cache.get(before.key())).contains(after);
    }

    @Test
    void what_others_wrote_before_an_own_write_is_told_with_it() {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        record();
        changes.clear();

        Node after = node("a", "7", "p", "ours and theirs");
        assertThat(cache.recordOwnWrite(before, node("a", "7", "p", "ours"), after)).isEmpty();
        cache.put(node("a", "6", "p", "theirs"));
        cache.put(after);

        assertThat(changes).containsExactly("old>ours and theirs");
        assertThat(cache.get(before.key())).contains(after);
    }

    @Test
    void what_others_wrote_and_took_back_before_an_own_write_is_told_to_the_end() {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        record();
        cache.put(node("a", "6", "p", "theirs"));
        changes.clear();

        Node after = node("a", "8", "p", "ours");
        assertThat(cache.recordOwnWrite(before, after, after)).isEmpty();
        cache.put(node("a", "7", "p", "old"));

        assertThat(changes).containsExactly("theirs>ours");
    }

    @Test
    void who_waits_for_another_object_hears_of_an_own_write() throws Exception {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        CompletableFuture<Optional<Node>> other = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                other.complete(awaitOther(before, Node::sameVersion, Duration.ofMinutes(10)));
            } catch (InterruptedException e) {
                other.completeExceptionally(e);
            }
        });
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        Node after = node("a", "6", "p", "new");
        cache.recordOwnWrite(before, after, after);

        assertThat(other.get(1, TimeUnit.MINUTES)).contains(after);
    }

    @Test
    void an_own_write_does_not_hide_what_the_watch_brought_meanwhile() {
        Node before = node("a", "5", "p", "old");
        cache.put(before);
        cache.put(node("a", "8", "p", "foreign"));

        assertThat(cache.recordOwnWrite(before, node("a", "7", "p", "ours"), node("a", "7", "p", "ours"))).isEmpty();

        assertThat(cache.get(before.key()).orElseThrow().metadata().labels()).containsEntry("l", "foreign");
    }

    @Test
    void an_object_deleted_and_made_again_is_new() {
        record();
        cache.put(node("a", "5", "p", "first"));
        cache.remove(node("a", "6", "p", "first"));
        cache.put(node("a", "7", "p", "second"));

        assertThat(changes).containsExactly("->first", "first>-", "->second");
    }

    @Test
    void indexes_follow_values_and_hold_several_objects_of_one_value() {
        cache.put(node("b", "1", "p", "x"));
        cache.put(node("a", "2", "p", "x"));
        cache.put(node("c", "3", "", "x"));
        assertThat(cache.find(BY_PROVIDER_ID, "p")).extracting(n -> n.key().name()).containsExactly("a", "b");
        assertThat(cache.find(BY_PROVIDER_ID, "")).isEmpty();

        cache.put(node("b", "4", "q", "x"));
        assertThat(cache.find(BY_PROVIDER_ID, "p")).extracting(n -> n.key().name()).containsExactly("a");
        assertThat(cache.find(BY_PROVIDER_ID, "q")).extracting(n -> n.key().name()).containsExactly("b");
        cache.remove(node("b", "5", "q", "x"));
        assertThat(cache.find(BY_PROVIDER_ID, "q")).isEmpty();
    }

    @Test
    void of_many_objects_of_one_value_some_are_found_in_order() {
        List<String> names = List.of("e", "b", "d", "a", "c");
        names.forEach(name -> cache.put(node(name, "1", "p", "x")));

        assertThat(cache.find(BY_PROVIDER_ID, "p", 2)).hasSize(2).isSortedAccordingTo(Comparator.comparing(Node::key));
        assertThat(cache.find(BY_PROVIDER_ID, "p", 5)).extracting(node -> node.key().name())
                .containsExactly("a", "b", "c", "d", "e");
        assertThat(cache.find(BY_PROVIDER_ID, "q", 2)).isEmpty();
    }

    @Test
    void an_object_may_be_found_by_several_values() {
        Index<Node> byWord = new Index<>("word", n -> List.of(n.providerId().split(" ")));
        ObjectCache<Node> words = new ObjectCache<>(byWord);
        words.put(node("a", "1", "p q", "x"));
        words.put(node("b", "2", "q r", "x"));
        assertThat(words.find(byWord, "q")).extracting(n -> n.key().name()).containsExactly("a", "b");

        words.put(node("a", "3", "r p", "x"));
        assertThat(words.find(byWord, "p")).extracting(n -> n.key().name()).containsExactly("a");
        assertThat(words.find(byWord, "q")).extracting(n -> n.key().name()).containsExactly("b");
        assertThat(words.find(byWord, "r")).extracting(n -> n.key().name()).containsExactly("a", "b");
    }

    @Test
    void what_a_list_does_not_hold_is_gone_and_then_the_cache_is_synced() {
        cache.put(node("a", "1", "p", "x"));
        cache.put(node("b", "2", "q", "x"));
        record();
        changes.clear();
        List<String> synced = new ArrayList<>();
        cache.whenSynced(() -> synced.add("now"));
        assertThat(cache.synced()).isFalse();
        assertThat(synced).isEmpty();

        cache.replace(Set.of(ObjectKey.clusterScoped("b")));

        assertThat(cache.synced()).isTrue();
        assertThat(synced).containsExactly("now");
        assertThat(changes).containsExactly("x>-");
        assertThat(cache.all()).extracting(n -> n.key().name()).containsExactly("b");
    }

    @Test
    void two_namespaces_are_seen_when_both_have_been_listed_and_a_list_of_one_ends_nothing_of_the_other() {
        cache.expect("one");
        cache.expect("other");
        Node a = inNamespace("one", "a");
        Node b = inNamespace("other", "b");
        cache.put(a);
        cache.replace(Set.of(a.key()), "one");
        assertThat(cache.synced()).isFalse();
        assertThat(cache.unlisted()).containsExactly("other");
        cache.put(b);
        cache.replace(Set.of(b.key()), "other");
        assertThat(cache.synced()).isTrue();
        cache.replace(Set.of(), "one");
        assertThat(cache.all()).containsExactly(b);
        cache.remove(b);
        assertThat(cache.all()).isEmpty();
    }

    private static Node inNamespace(String namespace, String name) {
        ObjectKey key = new ObjectKey(namespace, name);
        return new Node(new Metadata(key, "uid", "1", Map.of(), Map.of(), List.of(), false), "", List.of());
    }

    @Test
    void waiting_for_another_version_ends_when_it_comes_or_the_object_goes() throws Exception {
        Node known = node("a", "1", "p", "x");
        cache.put(known);
        assertThat(awaitOther(known, Node::sameVersion, Duration.ofMillis(10))).contains(known);

        Thread.startVirtualThread(() -> cache.put(node("a", "2", "p", "x")));
        assertThat(awaitOther(known, Node::sameVersion, Duration.ofSeconds(20)).orElseThrow().metadata()
                .resourceVersion())
                .isEqualTo("2");

        Node second = cache.get(known.key()).orElseThrow();
        Thread.startVirtualThread(() -> cache.remove(node("a", "3", "p", "x")));
        assertThat(awaitOther(second, Node::sameVersion, Duration.ofSeconds(20))).isEmpty();
    }

    private Optional<Node> awaitOther(Node known, BiPredicate<Node, Node> same, Duration patience)
            throws InterruptedException {
        return cache.await(known.key(), held -> held.isEmpty() || !same.test(held.get(), known), patience);
    }

    @Test
    void waiting_for_another_state_does_not_end_with_a_heartbeat() throws Exception {
        Node known = node("a", "1", "p", "x");
        cache.put(known);
        Node heartbeat = node("a", "2", "p", "x");
        cache.put(heartbeat);
        assertThat(awaitOther(known, Node::sameState, Duration.ofMillis(10))).contains(heartbeat);

        Node other = node("a", "3", "p", "y");
        Thread.startVirtualThread(() -> cache.put(other));
        assertThat(awaitOther(known, Node::sameState, Duration.ofSeconds(20))).contains(other);
    }

    @Test
    void resource_versions_are_compared_as_numbers_and_others_come_in_order() {
        assertThat(ResourceVersions.isOlder("9", "10")).isTrue();
        assertThat(ResourceVersions.isOlder("10", "9")).isFalse();
        assertThat(ResourceVersions.isOlder("10", "10")).isFalse();
        assertThat(ResourceVersions.isOlder("abc", "abd")).isFalse();
        assertThat(ResourceVersions.isOlder("", "5")).isFalse();
        assertThat(ResourceVersions.isOlder("0", "5")).isFalse();
    }
}
