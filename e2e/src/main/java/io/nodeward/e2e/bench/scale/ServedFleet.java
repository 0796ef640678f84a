package io.nodeward.e2e.bench.scale;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A management cluster and its workload clusters on servers of this JVM. */
final class ServedFleet implements LargeFleet {
    private final int nodesPerCluster;
    private final int machinesPerCluster;
    private final FakeApiServer management = start();
    private final List<FakeApiServer> workloads;

    private ServedFleet(int clusters, int nodesPerCluster, int machinesPerCluster) {
        this.nodesPerCluster = nodesPerCluster;
        this.machinesPerCluster = machinesPerCluster;
        this.workloads = Stream.generate(ServedFleet::start).limit(clusters).toList();
    }

    private static FakeApiServer start() {
        return FakeApiServer.start(Options.defaults());
    }

    /** Every Node with its Machine. */
    static ServedFleet of(int clusters, int nodesPerCluster) {
        return of(clusters, nodesPerCluster, nodesPerCluster);
    }

    /** @param machinesPerCluster those of the first Nodes */
    static ServedFleet of(int clusters, int nodesPerCluster, int machinesPerCluster) {
        ServedFleet fleet = new ServedFleet(clusters, nodesPerCluster, machinesPerCluster);
        fleet.management.create("namespaces", FleetObjects.namespace());
        for (int i = 0; i < clusters; i++) {
            fleet.fill(i);
        }
        return fleet;
    }

    private void fill(int cluster) {
        management.create("clusters", FleetObjects.cluster(cluster));
        management.create("secrets", FleetObjects.secret(cluster, workloads.get(cluster).kubeconfig()));
        IntStream.range(0, nodesPerCluster).parallel().forEach(number -> {
            if (number < machinesPerCluster) {
                management.create("machines", FleetObjects.machine(cluster, number));
            }
            workloads.get(cluster).create("nodes", FleetObjects.node(cluster, number));
        });
    }

    @Override
    public String kubeconfig() {
        return management.kubeconfig();
    }

    @Override
    public int clusters() {
        return workloads.size();
    }

    @Override
    public int nodes() {
        return workloads.size() * nodesPerCluster;
    }

    @Override
    public int machines() {
        return workloads.size() * machinesPerCluster;
    }

    FakeApiServer management() {
        return management;
    }

    List<FakeApiServer> workloads() {
        return workloads;
    }

    void clearRequests() {
        servers().forEach(FakeApiServer::clearRequests);
    }

    /** Requests that changed an object, or tried to. */
    long writes() {
        return servers().flatMap(server -> server.requests().stream()).map(Request::method)
                .filter(method -> !method.equals("GET"))
                .count();
    }

    private Stream<FakeApiServer> servers() {
        return Stream.concat(Stream.of(management), workloads.stream());
    }

    @Override
    public void close() {
        servers().forEach(FakeApiServer::close);
    }
}
