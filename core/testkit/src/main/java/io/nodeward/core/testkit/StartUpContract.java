package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backend starts on the class path its users get. Client libraries are used on slim class paths; a class missing there
 * shows at run time only. Maven has to write the path to {@code target/runtime.classpath}. Promise: experimental.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class StartUpContract {
    private static final Path TARGET = Path.of(System.getProperty("basedir", "."), "target");

    /** Its name. */
    protected abstract String backend();

    /** Parts of names of jars that its users are spared. */
    protected abstract List<String> spared();

    @Test
    void connections_are_made_on_exactly_the_class_path_a_user_gets(@TempDir Path folder) throws Exception {
        assertThat(classPath()).doesNotContain(spared()).doesNotContain("junit", "testkit");
        try (FaultyServer plain =
                new FaultyServer(Replying.gzipped(out -> out.write("plain".getBytes(StandardCharsets.UTF_8))));
                TlsServer tls = new TlsServer()) {
            Process process = started(
                    Files.writeString(folder.resolve("plain.secret"), plain.kubeconfig("t")),
                    Files.writeString(folder.resolve("certificate.secret"), withCertificate(tls)),
                    Files.writeString(folder.resolve("plugin"), withPlugin(tls, folder)));
            String output = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output.lines().filter(line -> !line.startsWith("SLF4J"))).containsExactly(
                    backend() + " got plain and plain",
                    backend() + " got CN=contract-client and CN=contract-client",
                    backend() + " got anonymous and anonymous");
        }
    }

    private static String withCertificate(TlsServer tls) throws IOException {
        String user = "client-certificate-data: %s, client-key-data: %s"
                .formatted(TlsServer.base64("ec.crt"), TlsServer.base64("ec-sec1.key"));
        return Kubeconfigs.with(cluster(tls), user);
    }

    private static String withPlugin(TlsServer tls, Path folder) throws IOException {
        Path plugin = Files.writeString(folder.resolve("plugin.sh"), """
                #!/bin/sh
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'
                """);
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        String exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh}";
        return Kubeconfigs.with(cluster(tls), exec);
    }

    private static String cluster(TlsServer tls) throws IOException {
        return "server: 'https://127.0.0.1:%d', certificate-authority-data: %s"
                .formatted(tls.port(), TlsServer.base64("authority.crt"));
    }

    private static Process started(Path... kubeconfigs) throws IOException {
        String kit = Path.of(
                StartUpMain.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(File.pathSeparator, TARGET.resolve("classes").toString(), classPath(), kit),
                StartUpMain.class.getName());
        for (Path kubeconfig : kubeconfigs) {
            builder.command().add(kubeconfig.toString());
        }
        return builder.redirectErrorStream(true).start();
    }

    private static String classPath() throws IOException {
        return Files.readString(TARGET.resolve("runtime.classpath")).strip();
    }
}
