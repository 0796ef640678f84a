package com.example.nodequota;

import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of NodeQuotas and Nodes, from caches alone. */
record NodeQuotaScope(ObjectCache<CustomResource<NodeQuota>> quotas, ObjectCache<Node> nodes) {
    /** NodeQuotas by the label that they count. */
    static final Index<CustomResource<NodeQuota>> BY_LABEL = Index.of("label", quota -> quota.spec().label());
    /** Nodes by each of their labels. */
    static final Index<Node> NODES_BY_LABEL = new Index<>("label", NodeQuotaScope::labels);

    static List<String> labels(Node node) {
        return node.metadata().labels().entrySet().stream().map(NodeQuotaScope::text).toList();
    }

    private static String text(Map.Entry<String, String> label) {
        return label.getKey() + "=" + label.getValue();
    }

    Optional<CustomResource<NodeQuota>> quota(ObjectKey key) {
        return quotas.get(key);
    }

    /** How many Nodes have the label. */
    int count(NodeQuota quota) {
        return nodes.count(NODES_BY_LABEL, quota.label());
    }

    /** Those that count this label. */
    List<CustomResource<NodeQuota>> quotasOf(String label) {
        return quotas.find(BY_LABEL, label);
    }
}
