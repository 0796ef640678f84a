package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ServedVersions;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.spi.ApiFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The server's own rules; at first nobody knows whether it has any. */
final class ServerRulesFixture {
    private static final ApiFailure NOT_SERVED = ApiFailure.of(
            new Status(404, "NotFound", "the server could not find the requested resource", 0), "GET",
            Optional.empty());

    final ServedVersions<CustomResource<DeviceTaintRule>> versions = new ServedVersions<>(
            ServerRules.VERSIONS.stream().map(version -> ServerRules.kind(version).resource()).toList(),
            () -> new ObjectCache<>(ServerRules.OF_OWNER, ServerRules.OWNED));
    final ObjectCache<CustomResource<DeviceTaintRule>> cache = versions.all().getFirst().cache();

    /** The server has its rules of the preferred version. */
    void serve() {
        cache.replace(Set.of());
        versions.all().getFirst().following();
    }

    /** The server has none any more, of any version. */
    void serveNone() {
        versions.all().forEach(version -> version.failed(NOT_SERVED));
    }

    /** As the server does it. */
    void write(ObjectChange update) {
        switch (update.verb()) {
            case Verb.Create(Tree content) -> {
                Tree owner = content.at("metadata").at("ownerReferences").elements().getFirst();
                cache.put(
                        new CustomResource<>(new Metadata(update.key(), "uid-" + update.key(), "1", Map.of(), Map.of(),
                                List.of(new OwnerRef(owner.at("apiVersion").string(), owner.at("kind").string(),
                                        owner.at("name").string(), owner.at("uid").string(), true)),
                                false), 1, DeviceTaintRule.of(content.at("spec")), List.of()));
            }
            case Verb.Delete delete -> remove(update.key());
            default -> throw new AssertionError(update);
        }
    }

    void remove(ObjectKey key) {
        cache.remove(cache.get(key).orElseThrow());
    }

    /** The server's controller has looked at this generation of each. */
    void report(long generation) {
        cache.all().forEach(rule -> report(rule, generation));
    }

    void report(CustomResource<DeviceTaintRule> rule, long generation) {
        cache.put(new CustomResource<>(rule.metadata().withResourceVersion("9"), rule.generation(), rule.spec(),
                List.of(new Condition("EvictionInProgress", Condition.FALSE, "NotStarted", "", Instant.EPOCH,
                        generation))));
    }

    /** The server has none any more of the preferred version, and has not answered of the other. */
    void serveOther() {
        versions.all().getFirst().failed(NOT_SERVED);
    }
}
