package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import java.util.Map;

/** How much a Node's record holds: the characters of all its texts. */
final class NodeSize {
    private NodeSize() {}

    static long characters(Node node) {
        Metadata metadata = node.metadata();
        long taints = node.taints().stream().mapToLong(taint -> taint.json().length()).sum();
        long owners = metadata.owners().stream()
                .mapToLong(owner -> owner.apiVersion().length() + owner.kind().length() + owner.name().length()
                        + owner.uid().length())
                .sum();
        return metadata.key().name().length()
                + metadata.uid().length()
                + metadata.resourceVersion().length()
                + node.providerId().length()
                + taints
                + owners
                + characters(metadata.labels())
                + characters(metadata.annotations());
    }

    private static long characters(Map<String, String> texts) {
        long characters = 0;
        for (Map.Entry<String, String> text : texts.entrySet()) {
            characters += text.getKey().length() + text.getValue().length();
        }
        return characters;
    }
}
