package io.nodeward.e2e.install;

import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;

/** A network namespace for one pod, from which nothing but this machine can be reached: by the address of a Service. */
final class PodNetwork implements AutoCloseable {
    private static final String END = """
            ip link delete "$0" 2>/dev/null || true
            ip netns delete "$0" 2>/dev/null || true
            """;
    private static final String START = """
            command -v ip || { echo 'apt-get install iproute2'; exit 1; }
            """ + END + """
            set -e
            ip netns add "$0"
            ip link add "$0" type veth peer name eth0 netns "$0"
            ip address add "$2/30" dev "$0"
            ip address add "$1/32" dev "$0"
            ip link set "$0" up
            ip -n "$0" address add "$3/30" dev eth0
            ip -n "$0" link set lo up
            ip -n "$0" link set eth0 up
            ip -n "$0" route add "$1" via "$2"
            """;

    private final int number;
    private final Thread atExit = new Thread(this::end, "delete the pod's network");

    private PodNetwork(int number) {
        this.number = number;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Creates the network of a pod.
     *
     * @param number of the pod, from 0 to 63. There is one network of that number on a machine
     * @param service its address, which this machine gets on its side
     */
    static PodNetwork withWayTo(int number, String service) throws IOException, InterruptedException {
        PodNetwork network = new PodNetwork(number);
        Shell.run("sh", "-c", START, network.name(), service, network.address(1), network.pod());
        return network;
    }

    String name() {
        return "nodeward-e2e-" + number;
    }

    /** Returns the address of the pod. */
    String pod() {
        return address(2);
    }

    /** Returns one address of a block that is for documentation alone (RFC 5737). */
    private String address(int place) {
        return "198.51.100." + (4 * number + place);
    }

    private void end() {
        try {
            Shell.run("sh", "-c", END, name());
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
