package io.nodeward.controller.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/** What this JVM tells of itself, into a new file; none of it has values of variables. */
final class Diagnostics {
    private static final long MOST_RECORDED = 64L << 20;
    /** They would tell what is in the environment, on the command line, and on those of other processes. */
    private static final List<String> LEFT_OUT = List.of("jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty",
            "jdk.JVMInformation", "jdk.StringFlag", "jdk.StringFlagChanged", "jdk.SystemProcess", "jdk.ProcessStart");

    private Diagnostics() {}

    /** All threads, virtual ones too, with their stacks. */
    static void threads(Path file) throws IOException {
        // Without the fix of JDK-8364343 a dump may crash the JVM while virtual threads begin or end to wait. Once the recorder
        // is there, which records nothing yet, JVM TI is in use, and the JVM holds them still: it crashes far less often.
        FlightRecorder.getFlightRecorder();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
    }

    /** The parts of the heap, and instances and bytes of each class, without a collection before. */
    static void heap(Path file) throws IOException {
        Files.writeString(file, command("gcHeapInfo") + "\n" + command("gcClassHistogram", "-all"));
    }

    /** Java's flight recorder for so long, with the settings of its file {@code profile}. */
    static void recording(Duration length, Path file) throws IOException, InterruptedException {
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            LEFT_OUT.forEach(recording::disable);
            recording.setMaxSize(MOST_RECORDED);
            recording.start();
            Thread.sleep(length);
            recording.stop();
            recording.dump(file);
        } catch (ParseException e) {
            throw new IOException("the JVM's settings of its recorder cannot be read", e);
        }
    }

    private static String command(String name, String... arguments) throws IOException {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), name, new Object[]{arguments},
                    new String[]{String[].class.getName()});
        } catch (JMException e) {
            throw new IOException("the JVM has no " + name, e);
        }
    }
}
