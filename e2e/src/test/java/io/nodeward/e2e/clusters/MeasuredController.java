package io.nodeward.e2e.clusters;

import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.OperatingSystemMXBean;
import io.nodeward.controller.app.Nodeward;
import io.nodeward.core.testkit.VirtualThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Started by {@link ControllerProcess} in a JVM of its own, so that what that takes is the controller's. */
final class MeasuredController {
    private static final int COLLECTIONS = 3;
    private static final int PAUSE_MS = 50;

    private MeasuredController() {}

    /**
     * Writes the ports of the metrics and of the probes, then what it takes for each line it reads: a file to write its threads
     * to.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        try (Nodeward nodeward = Nodeward.start(args)) {
            Runtime.getRuntime().addShutdownHook(new Thread(nodeward::close));
            System.out.println(nodeward.metricsPort() + " " + nodeward.healthPort());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Path dump = Path.of(line);
                Files.deleteIfExists(dump);
                VirtualThreads.dump(dump, ThreadDumpFormat.TEXT_PLAIN);
                long heap = liveHeap(); // with what the first dump leaves
                System.out.println(heap + " "
                        + ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
            }
        }
    }

    // What one collection finds unreachable, cleaners let go before the next.
    private static long liveHeap() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(PAUSE_MS);
        }
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
