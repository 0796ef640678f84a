package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What names of hosts lead to, in a JVM of its own: which names there are is read once. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ResolvedHostsTest {
    @Test
    void a_name_of_a_secret_leads_to_no_reserved_address_that_is_not_listed(@TempDir Path directory)
            throws IOException, InterruptedException {
        List<String> said = run(directory);
        String server = "cluster.server leads to an address that is not allowed (--cluster-servers)";
        String proxy = server.replace("server leads", "proxy-url leads");
        String literal = "cluster.server has a host that is not allowed (--cluster-servers)";
        for (String backend : Backends.names()) {
            assertThat(said).filteredOn(line -> line.startsWith(backend + " ")).containsExactly(
                    backend + " own: answered 200", backend + " http: " + server, backend + " https: " + server,
                    backend + " both: " + server, backend + " metadata: " + server, backend + " proxy: " + proxy,
                    backend + " proxied http: " + proxy, backend + " literal: " + literal,
                    backend + " number: " + literal, backend + " localhost: " + literal,
                    backend + " own: answered 200", backend + " listed: answered 200",
                    backend + " listed, streaming: answered 200", backend + " unlisted: " + server,
                    backend + " own: answered 200", backend + " unknown: host not found",
                    backend + " condition of bad: KubeconfigRefused, Secret default/bad-kubeconfig: " + server,
                    backend + " condition of good: ",
                    backend + " accepted: 0");
        }
    }

    /** With the names of {@link NamedHosts}. */
    private static List<String> run(Path directory) throws IOException, InterruptedException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(InetAddressResolverProvider.class.getName()), NamedHosts.class.getName());
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-cp",
                directory + File.pathSeparator + System.getProperty("java.class.path"),
                ResolvedHostsMain.class.getName()).redirectErrorStream(true).redirectOutput(said.toFile()).start();
        int exit = process.waitFor();
        List<String> lines = Files.readAllLines(said);
        assertThat(exit).as(() -> String.join("\n", lines)).isZero();
        return lines;
    }
}
