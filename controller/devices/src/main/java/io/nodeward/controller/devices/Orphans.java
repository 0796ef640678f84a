package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.controller.devices.ServerRules.Version;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Result;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deletes the server's rules whose rule of Nodeward is gone; the server's garbage collector does so as well, but later. */
final class Orphans implements Function<ObjectKey, Result> {
    private final ObjectCache<CustomResource<DeviceTaintRule>> rules;
    private final ServerRules serverRules;
    private final ObjectWriter writer;
    private final String fieldManager;

    Orphans(
            ObjectCache<CustomResource<DeviceTaintRule>> rules, ServerRules serverRules, ObjectWriter writer,
            String fieldManager) {
        this.rules = rules;
        this.serverRules = serverRules;
        this.writer = writer;
        this.fieldManager = fieldManager;
    }

    /** The server's rules that a rule of Nodeward leaves behind, now that it is gone or another one. */
    Set<ObjectKey> left(
            @Nullable CustomResource<DeviceTaintRule> before, @Nullable CustomResource<DeviceTaintRule> after) {
        return before == null || after != null && after.metadata().uid().equals(before.metadata().uid())
                ? Set.of()
                : serverRules.served().stream()
                        .flatMap(server -> server.cache().find(ServerRules.OF_OWNER, before.metadata().uid()).stream())
                        .map(CustomResource::key).collect(Collectors.toSet());
    }

    @Override
    public Result apply(ObjectKey key) {
        Optional<Version> server = serverRules.served();
        Optional<CustomResource<DeviceTaintRule>> orphan =
                server.flatMap(version -> version.cache().get(key)).filter(this::isOrphan);
        if (orphan.isPresent()) {
            ObjectUpdate deletion = ObjectUpdate.delete(server.get().kind(), orphan.get().metadata())
                    .seenIn(server.get().cache());
            if (writer.apply(deletion, fieldManager, false) instanceof Applied.Outdated outdated) {
                throw outdated.failure();
            }
        }
        return Result.done();
    }

    private boolean isOrphan(CustomResource<DeviceTaintRule> rule) {
        return ServerRules.owners(rule).findAny().isPresent()
                && ServerRules.owners(rule).noneMatch(this::exists);
    }

    private boolean exists(OwnerRef owner) {
        return rules.get(ObjectKey.clusterScoped(owner.name()))
                .filter(rule -> rule.metadata().uid().equals(owner.uid())).isPresent();
    }
}
