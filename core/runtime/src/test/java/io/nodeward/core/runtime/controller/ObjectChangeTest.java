package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ObjectChangeTest {
    private static final Tree NOTHING = Tree.of(Map.of());

    @Test
    void the_traits_of_a_verb_are_made_once_and_not_for_each_change() {
        List<Supplier<Verb>> verbs = List.of(Verb.None::new, () -> ofNode().verb(), () -> new Verb.Create(NOTHING),
                () -> new Verb.Apply(NOTHING, true), () -> new Verb.ApplyStatus(NOTHING),
                () -> new Verb.MergePatch(NOTHING), () -> new Verb.JsonPatch(JsonPatch.EMPTY), Verb.Delete::new);
        assertThat(verbs).hasSameSizeAs(Verb.class.getPermittedSubclasses());
        verbs.forEach(verb -> assertThat(verb.get().traits()).isSameAs(verb.get().traits()));
    }

    @Test
    void what_a_change_of_a_node_would_ignore_is_a_mistake() {
        ObjectChange change = ofNode();
        Metadata node = ExecutorFixture.NODE.metadata();
        ObjectCache<Node> cache = new ObjectCache<>();
        for (ThrowingCallable mistake : List.<ThrowingCallable>of(() -> change.seenIn(cache),
                () -> change.heldIn(cache, reply -> {}), () -> change.on(Preconditions.NONE),
                () -> change.on(Preconditions.of(node)), () -> change.on(new Preconditions("another", "")))) {
            assertThatIllegalArgumentException().isThrownBy(mistake)
                    .withMessage("PatchNode itself says where it is seen and what it holds on: n");
        }
        assertThat(change.on(Preconditions.uid(node))).isEqualTo(change);
    }

    private static ObjectChange ofNode() {
        return ((Decision.Change) ExecutorFixture.change("a")).change();
    }
}
