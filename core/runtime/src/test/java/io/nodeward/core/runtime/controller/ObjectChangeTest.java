package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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

    private static ObjectChange ofNode() {
        return ((Decision.Change) ExecutorFixture.change("a")).change();
    }
}
