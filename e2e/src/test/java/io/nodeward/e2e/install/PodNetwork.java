package io.nodeward.e2e.install;

import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;

/**
 * A network namespace for one pod, from which nothing but this machine can be reached: by the address of a Service. There is one on
 * a machine.
 */
final class PodNetwork implements AutoCloseable {
    static final String NAME = "nodeward-e2e";
    /** Of a block that is for documentation alone (RFC 5737). */
    static final String POD = "198.51.100.2";

    private static final String END = """
            ip link delete nodeward-e2e 2>/dev/null || true
            ip netns delete nodeward-e2e 2>/dev/null || true
            """;
    private static final String START = """
            command -v ip || { echo 'apt-get install iproute2'; exit 1; }
            """ + END + """
            set -e
            ip netns add nodeward-e2e
            ip link add nodeward-e2e type veth peer name eth0 netns nodeward-e2e
            ip address add 198.51.100.1/30 dev nodeward-e2e
            ip address add "$0/32" dev nodeward-e2e
            ip link set nodeward-e2e up
            ip -n nodeward-e2e address add 198.51.100.2/30 dev eth0
            ip -n nodeward-e2e link set lo up
            ip -n nodeward-e2e link set eth0 up
            ip -n nodeward-e2e route add "$0" via 198.51.100.1
            """;

    private final Thread atExit = new Thread(PodNetwork::end, "delete the pod's network");

    private PodNetwork() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** @param service its address, which this machine gets on its side */
    static PodNetwork withWayTo(String service) throws IOException, InterruptedException {
        PodNetwork network = new PodNetwork();
        Shell.run("sh", "-c", START, service);
        return network;
    }

    private static void end() {
        try {
            Shell.run("sh", "-c", END);
        } catch (IOException e) {
            throw new IllegalStateException("a network namespace stays behind", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
