package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.ObjectUpdate.Verb;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The server's own rules, which do at once what is decided. */
record ServerRulesFixture(ObjectCache<CustomResource<DeviceTaintRule>> cache) {
    void make(ObjectUpdate update) {
        switch (update.verb()) {
            case Verb.Create(Tree content) -> {
                Tree owner = content.at("metadata").at("ownerReferences").elements().getFirst();
                put(update.key(), content.at("spec"), List.of(new OwnerRef(owner.at("apiVersion").string(),
                        owner.at("kind").string(), owner.at("name").string(), owner.at("uid").string(), true)));
            }
            case Verb.Delete delete -> cache.remove(cache.get(update.key()).orElseThrow());
            default -> throw new AssertionError(update);
        }
    }

    private void put(ObjectKey key, Tree spec, List<OwnerRef> owners) {
        cache.put(new CustomResource<>(
                new Metadata(key, "uid-" + key, "1", Map.of(), Map.of(), owners, false), 1, DeviceTaintRule.of(spec),
                List.of()));
    }

    /** Kubernetes has evaluated this generation of all of them. */
    void reported(long generation) {
        for (CustomResource<DeviceTaintRule> rule : cache.all()) {
            cache.put(new CustomResource<>(rule.metadata().withResourceVersion("9"), rule.generation(),
                    rule.spec(), List.of(new Condition("EvictionInProgress", Condition.FALSE, "NotStarted", "",
                            Instant.EPOCH, generation))));
        }
    }
}
