package io.nodeward.core.runtime.cluster;

import static org.awaitility.Awaitility.await;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A management cluster that serves Cluster API's kinds in some versions. */
abstract class ClusterApiFixture extends ClustersFixture {
    static final String GROUP = "/apis/cluster.x-k8s.io";
    static final Fault NOT_SERVED =
            new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n");

    /** MachinePools that looked deleted. */
    final List<String> gone = new CopyOnWriteArrayList<>();

    void serveOnly(String version) {
        String group = "{\"kind\":\"APIGroup\",\"name\":\"cluster.x-k8s.io\",\"versions\":[{\"version\":\"" + version
                + "\"}]}";
        Predicate<Request> discovery = r -> r.path().equals(GROUP);
        Predicate<Request> others =
                r -> r.path().startsWith(GROUP + "/") && !(r.path() + "/").startsWith(GROUP + "/" + version + "/");
        management.fault(1_000_000, discovery,
                new Fault.Answer(200, Map.of("Content-Type", "application/json"), group));
        management.fault(1_000_000, others, NOT_SERVED);
    }

    /** These kinds alone are in this version. */
    void serve(String version, String... plurals) {
        String path = GROUP + "/" + version;
        list(version, plurals);
        management.fault(1_000_000, r -> r.path().startsWith(path + "/")
                && Stream.of(plurals).noneMatch(plural -> r.path().endsWith("/" + plural)), NOT_SERVED);
    }

    /** Discovery says that these kinds alone are in this version. */
    void list(String version, String... plurals) {
        String path = GROUP + "/" + version;
        String kinds =
                Stream.of(plurals).map(plural -> "{\"name\":\"" + plural + "\"}").collect(Collectors.joining(","));
        management.fault(1_000_000, r -> r.path().equals(path),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIResourceList\",\"resources\":[" + kinds + "]}"));
    }

    /** Lets so much time pass, in steps in which what is due is sent and answered. */
    void pass(Duration length) {
        long end = time.nanoTime() + length.toNanos();
        untilLater(() -> time.nanoTime() >= end);
    }

    /** As {@link #until}, also for what comes again and again. */
    void untilLater(BooleanSupplier condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(3)).until(() -> {
            boolean met = condition.getAsBoolean();
            if (!met && workloads.isIdle()) {
                backend.passStep();
            }
            return met;
        });
    }

    boolean watched(String path) {
        return management.requests().stream()
                .anyMatch(r -> r.path().equals(path) && r.query().contains("watch=true") && r.code() == 200);
    }

    void createMachine(String name) {
        management.create("machines",
                json("{'metadata':{'namespace':'fleet','name':'" + name + "'},'spec':{'clusterName':'c'}}"));
    }

    AtomicReference<ObjectCache<MachinePool>> watchPools() {
        AtomicReference<ObjectCache<MachinePool>> pools = new AtomicReference<>();
        beforeStart = started -> {
            pools.set(started.watch("machinepools", Projection.MACHINE_POOL));
            pools.get().subscribe((before, after) -> {
                if (after == null) {
                    gone.add(before.key().name());
                }
            });
        };
        return pools;
    }

    void createPool(String name) {
        management.create("machinepools",
                json("{'metadata':{'namespace':'fleet','name':'" + name + "'},'spec':{'clusterName':'c'}}"));
    }

    void withoutPools() {
        serve("v1beta2", "clusters", "machines");
        serve("v1beta1", "clusters", "machines");
    }

    long looks() {
        return management.requests().stream().filter(r -> r.path().equals(GROUP + "/v1beta2")).count();
    }
}
