package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.controller.devices.ServerRules.Version;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Result;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deletes the server's rules whose rule or taint slice of Nodeward is gone; the server's garbage collector does so as well, but later. */
record Orphans(DeviceCaches caches, ServerRules serverRules, ObjectWriter writer, String fieldManager)
        implements Function<ObjectKey, Result> {
    /** Calls the listener with all that a DeviceTaintSlice may leave behind; a cluster that lacks the kind has none. */
    void ofTaintSlices(Consumer<ObjectKey> listener) {
        caches.taintSlices().subscribe((before, after) -> left(before, after).forEach(listener));
        caches.taintSlices().whenSynced(() -> serverRules.served().stream()
                .flatMap(server -> server.cache().find(ServerRules.OWNED, "").stream())
                .forEach(rule -> listener.accept(rule.key())));
    }

    /** Returns the server's rules that an object of Nodeward leaves behind, now that it is gone or another one. */
    <S> Set<ObjectKey> left(@Nullable CustomResource<S> before, @Nullable CustomResource<S> after) {
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
            ObjectChange deletion = ObjectChange.delete(server.get().kind(), orphan.get().metadata())
                    .seenIn(server.get().cache());
            if (writer.apply(deletion, fieldManager, false) instanceof Applied.Failed failed) {
                throw failed.failure();
            }
        }
        return Result.done();
    }

    private boolean isOrphan(CustomResource<DeviceTaintRule> rule) {
        return ServerRules.owners(rule).findAny().isPresent()
                && ServerRules.owners(rule).noneMatch(this::exists);
    }

    /** Returns whether the owner exists; before all have been seen, each may. */
    private boolean exists(OwnerRef owner) {
        return owner.kind().equals(DeviceTaintSlice.DEFINITION.kind())
                ? !caches.taintSlices().synced() || exists(owner, caches.taintSlices())
                : exists(owner, caches.rules());
    }

    private static <S> boolean exists(OwnerRef owner, ObjectCache<CustomResource<S>> cache) {
        return cache.get(ObjectKey.clusterScoped(owner.name()))
                .filter(object -> object.metadata().uid().equals(owner.uid())).isPresent();
    }
}
