package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ChangeListener;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How much is kept of the Nodes of one cluster. Whoever runs that cluster must not fill the memory of all. */
final class KeptState implements ChangeListener<Node> {
    /** Characters that an object takes beside its values. Small texts take more than their characters, too. */
    private static final int PER_OBJECT = 300;
    private static final int PER_TAINT = 100;
    private static final int PER_TEXT = 32;
    /** With the names of its fields. */
    private static final int PER_OWNER = 91;

    private final long largest;
    private final Runnable exceeded;
    private final AtomicLong characters = new AtomicLong();
    private final AtomicBoolean tooLarge = new AtomicBoolean();

    /** @param exceeded run once, when it is more than {@code largest} characters; it must not block */
    KeptState(long largest, Runnable exceeded) {
        this.largest = largest;
        this.exceeded = exceeded;
    }

    @Override
    public void changed(@Nullable Node before, @Nullable Node after) {
        long change = (after == null ? 0 : characters(after)) - (before == null ? 0 : characters(before));
        if (characters.addAndGet(change) > largest && tooLarge.compareAndSet(false, true)) {
            exceeded.run();
        }
    }

    /** Whether it ever was. */
    boolean tooLarge() {
        return tooLarge.get();
    }

    /** Those of all texts of its record. It makes no text of its own: each change of a Node is counted. */
    private static long characters(Node node) {
        Metadata metadata = node.metadata();
        long taints = node.taints().stream().mapToLong(taint -> PER_TAINT + taint.json().length()).sum();
        long owners = metadata.owners().stream().mapToLong(owner -> PER_OWNER + owner.apiVersion().length()
                + owner.kind().length() + owner.name().length() + owner.uid().length()).sum();
        return PER_OBJECT + metadata.key().namespace().length() + metadata.key().name().length()
                + metadata.uid().length() + metadata.resourceVersion().length() + node.providerId().length()
                + node.created().length() + taints + owners + characters(metadata.labels())
                + characters(metadata.annotations());
    }

    private static long characters(Map<String, String> texts) {
        return texts.entrySet().stream()
                .mapToLong(text -> PER_TEXT + text.getKey().length() + text.getValue().length()).sum();
    }
}
