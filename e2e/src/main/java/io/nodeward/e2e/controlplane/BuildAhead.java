package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builds programs of the control plane before a test asks for them, with whatever time others leave. Whoever needs one
 * meanwhile waits for the lock of the cache and then finds it; what fails here is built, or said, there.
 *
 * <p>Maven starts this from its source, as nothing is compiled yet: {@code java -cp MODULES BuildAhead.java
 * etcd kubectl}, or {@code all}; in {@code MODULES} are the go.mod files, where the class path of e2e has them.
 */
final class BuildAhead {
    private static final String ALL = "all";
    private static final List<Component> SERVERS = List.of(Component.ETCD, Component.KUBE_APISERVER);

    private BuildAhead() {}

    /** @param args programs of the newest versions by name; {@code all} for each program of each version */
    public static void main(String[] args) {
        yieldToOthers();
        endWithMaven();
        List<String> wanted = List.of(args);
        Binaries binaries = Binaries.fromEnvironment();
        build(binaries, wanted);
        download(GoModule.CLUSTER_API); // its CRDs
        if (wanted.contains(ALL)) {
            for (KubernetesRelease release : KubernetesRelease.values()) {
                System.setProperty(Setting.NODEWARD_E2E_KUBERNETES.name(), release.minor());
                build(binaries, wanted);
            }
        }
    }

    private static void build(Binaries binaries, List<String> wanted) {
        for (Component component : Component.values()) {
            if (wanted.contains(component.program()) || wanted.contains(ALL)) {
                build(binaries, component);
            }
        }
    }

    private static void build(Binaries binaries, Component component) {
        if (SERVERS.contains(component) && Setting.NODEWARD_E2E_KUBECONFIG.path().isPresent()) {
            return; // an existing cluster has them
        }
        attempt(component.cacheName(), () -> binaries.path(component));
    }

    private static void download(GoModule module) {
        attempt("sources of " + module.path(), () -> new GoTool("go").sources(module));
    }

    private interface Work {
        Path run();
    }

    private static void attempt(String what, Work work) {
        long start = System.nanoTime();
        try {
            Path made = work.run();
            System.out.printf("%s after %d s: %s%n", what, (System.nanoTime() - start) / 1_000_000_000, made);
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    // Nothing is built on when nobody can be waiting for it.
    private static void endWithMaven() {
        Runtime.getRuntime().addShutdownHook(new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroy), "end builds"));
        ProcessHandle.current().parent().ifPresent(maven -> maven.onExit().thenRun(() -> System.exit(0)));
    }

    // What a thread starts is as nice as the thread, and Linux is asked for each.
    private static void yieldToOthers() {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            List<String> renice = new ArrayList<>(List.of("renice", "-n", "10", "-p"));
            threads.forEach(thread -> renice.add(thread.getFileName().toString()));
            new ProcessBuilder(renice).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        } catch (IOException e) {
            System.out.println("no renice here: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
