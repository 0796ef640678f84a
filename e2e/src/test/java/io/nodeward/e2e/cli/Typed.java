package io.nodeward.e2e.cli;

import io.nodeward.cli.Invocation;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** {@code nodeward} as somebody types it, with one kubeconfig and no terminal. */
public final class Typed {
    private final Path kubeconfig;

    public Typed(ControlPlane controlPlane, Kubeconfig kubeconfig) {
        this.kubeconfig = controlPlane.file(kubeconfig);
    }

    public Result run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = new Invocation(new ByteArrayInputStream(new byte[0]), new PrintStream(out), new PrintStream(err),
                Map.of("KUBECONFIG", kubeconfig.toString()), Terminal.NONE).run(args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
