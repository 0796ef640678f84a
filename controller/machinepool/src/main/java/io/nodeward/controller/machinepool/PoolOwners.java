package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.Owner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What pools declare for their Nodes, made ready once for each version of a pool and not for each of its Nodes. */
final class PoolOwners {
    private final Map<ObjectKey, Made> made = new ConcurrentHashMap<>();

    private record Made(MachinePool pool, Owner owner) {}

    Owner of(MachinePool pool) {
        Made last = made.get(pool.key());
        if (last == null || last.pool() != pool) {
            last = new Made(pool, Owner.of(pool));
            made.put(pool.key(), last);
        }
        return last.owner();
    }

    void forget(ObjectKey pool) {
        made.remove(pool);
    }
}
