package io.nodeward.e2e.bench.contender;

import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.controlplane.Directories;
import io.nodeward.e2e.controlplane.LoggedProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Nodeward with one of its backends.
 *
 * @param checkout as the report names it: {@code nodeward}, or {@code beside} for a second one
 * @param more flags besides the backend
 * @param launcher the command that starts the controller, without flags: {@code ./nodeward controller}
 */
public record NodewardContender(
        String checkout, String backend, List<String> launcher, String version, List<String> more)
        implements Contender {
    public NodewardContender(String backend, List<String> launcher, String version, List<String> more) {
        this("nodeward", backend, launcher, version, more);
    }

    @Override
    public String name() {
        return checkout + "-" + backend;
    }

    @Override
    public List<String> flags() {
        return Stream.concat(Stream.of("--backend=" + backend), more.stream()).toList();
    }

    @Override
    public Running start(Testbed bed) {
        Path kubeconfig = bed.controlPlane().file(bed.management());
        List<String> command = new ArrayList<>(launcher);
        command.add("--kubeconfig=" + kubeconfig);
        command.addAll(flags());
        command.addAll(List.of("--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0",
                "--cluster-servers=127.0.0.1"));
        Path directory = Directories.temporary(bed.controlPlane().directory(), name() + "-");
        return new Running(List.of(LoggedProcess.start(name(), command, Map.of(), directory)));
    }
}
