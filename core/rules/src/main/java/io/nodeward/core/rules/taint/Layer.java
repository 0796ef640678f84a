package io.nodeward.core.rules.taint;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.DeclaredTaints.Entry;
import io.nodeward.core.rules.taint.DeclaredTaints.Use;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One way in which an owner declares taints, beside what a Node's tracking annotation for it says. Layers own their taints
 * apart from each other, so that what one of them does not know is not taken for a stranger's.
 *
 * @param text of the tracking annotation; null if the Node does not have it
 * @param owned what it names
 * @param initialized whether taints for initialization alone are not set any more
 * @param complete whether all that the owner declares could be read, in whatever way; else nothing that is owned goes
 */
record Layer(
        DeclaredTaints declared, @Nullable String text, Set<TaintId> owned, boolean initialized, boolean complete) {
    /** No taint is declared or owned in this way. */
    static final Layer NONE = new Layer(DeclaredTaints.NONE, null, Set.of(), true, true);

    /**
     * Reads what the Node says.
     *
     * @param annotation with which this layer tracks what it owns
     * @param warnings takes what was wrong with it
     */
    static Layer of(
            DeclaredTaints declared,
            boolean complete,
            Node node,
            String annotation,
            Initialization when,
            List<Warning> warnings) {
        String text = node.metadata().annotations().get(annotation);
        Set<TaintId> owned = Set.of();
        // The usual Node: what we own is what is declared, so nothing is to be read from the text.
        if (text != null && !(complete && text.equals(declared.tracking()))) {
            owned = TaintTracking.parse(node.metadata().key().name(), annotation, text, warnings);
        }
        return new Layer(declared, text, owned, when.isOver(node, text), complete);
    }

    @Nullable
    Entry find(String key, String effect) {
        return declared.find(key, effect);
    }

    boolean isWanted(Entry entry) {
        return entry.isWanted(initialized);
    }

    /** Whether the taint is here because it was declared, and is to go when it is not. */
    boolean lets(TaintId id) {
        return complete && owned.contains(id);
    }

    /**
     * The tracking annotation's new text; empty if it stays as it is.
     *
     * @param other from which a taint may have moved here
     */
    Optional<String> tracking(Layer other) {
        String tracking = declared.holds() || !complete ? partial(other) : declared.tracking();
        return tracking.equals(text) ? Optional.empty() : Optional.of(tracking);
    }

    private String partial(Layer other) {
        TreeSet<String> ids = new TreeSet<>();
        for (Entry entry : declared.entries()) {
            if (entry.use() == Use.ALWAYS || entry.use() == Use.HELD
                    && (owned.contains(entry.id()) || other.owned.contains(entry.id()))) {
                ids.add(entry.id().toString());
            }
        }
        if (!complete) {
            owned.forEach(id -> ids.add(id.toString()));
        }
        return String.join(",", ids);
    }
}
