package io.nodeward.e2e.bench.micro;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.testkit.RealObjects;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Machines and Nodes as large as real ones on a real server, and what happens to them. */
final class ProfiledFleet {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines";
    private static final int AT_ONCE = 8;

    private final AdminClient admin;
    private final int size;
    private int beats;

    ProfiledFleet(AdminClient admin, Kubeconfig workload, int size) {
        this.admin = admin;
        this.size = size;
        Fleet.in(admin, "fleet").cluster("prod", workload);
        inParallel(size, this::create);
    }

    private void create(int number) {
        create("/api/v1/nodes", "/api/v1/nodes/", RealObjects.node(number, 1));
        create(MACHINES, MACHINES + "/", RealObjects.machine(number, 1));
    }

    private void create(String collection, String place, byte[] json) {
        try {
            ObjectNode object = (ObjectNode) MAPPER.readTree(json);
            ObjectNode metadata = (ObjectNode) object.path("metadata");
            metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "finalizers"));
            admin.create(collection, object);
            ObjectNode status = MAPPER.createObjectNode();
            status.set("status", object.path("status"));
            admin.mergePatch(place + metadata.path("name").asText() + "/status", status.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As many heartbeats of one Node after the other, at this rate; returns how many were sent. */
    int heartbeats(int perSecond, int seconds) {
        int count = perSecond * seconds;
        long start = System.nanoTime();
        inParallel(count, i -> {
            LockSupport.parkNanos(start + i * 1_000_000_000L / perSecond - System.nanoTime());
            byte[] node = RealObjects.node(i % size, 2 + beats + i);
            admin.mergePatch("/api/v1/nodes/" + RealObjects.name(i % size) + "/status", conditions(node));
        });
        beats += count;
        return count;
    }

    private static String conditions(byte[] node) {
        try {
            return "{\"status\":{\"conditions\":" + MAPPER.readTree(node).path("status").path("conditions") + "}}";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives the first taint of every Machine this value, and returns when it is on every Node. */
    void declare(String value) {
        inParallel(size, number -> admin.mergePatch(MACHINES + "/" + RealObjects.name(number), """
                {"spec":{"taints":[{"key":"example.com/dedicated","value":"%s","effect":"NoSchedule",\
                "propagation":"Always"},{"key":"example.com/gpu","effect":"NoExecute","propagation":"Always"}]}}"""
                .formatted(value)));
        for (int number = 0; number < size; number++) {
            while (!admin.get("/api/v1/nodes/" + RealObjects.name(number)).path("spec").toString()
                    .contains("\"" + value + "\"")) {
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    private static void inParallel(int count, IntConsumer work) {
        try (ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE)) {
            List<? extends Future<?>> all =
                    IntStream.range(0, count).mapToObj(i -> workers.submit(() -> work.accept(i))).toList();
            for (var one : all) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
