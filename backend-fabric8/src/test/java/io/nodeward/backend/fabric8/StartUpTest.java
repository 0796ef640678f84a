package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** fabric8 is used on a slim class path; a class missing there shows at run time only. */
class StartUpTest {
    private static final Path TARGET = Path.of(System.getProperty("basedir", "."), "target");

    @Test
    void a_connection_is_made_on_exactly_the_class_path_a_user_gets() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/version", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes());
            exchange.close();
        });
        server.start();
        try {
            assertThat(classPath()).doesNotContain("vertx", "junit");
            Process process = start("http://127.0.0.1:" + server.getAddress().getPort());
            String output = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output).contains("fabric8 answered {}");
        } finally {
            server.stop(0);
        }
    }

    private static Process start(String server) throws IOException {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                TARGET.resolve("classes") + ":" + classPath() + ":" + TARGET.resolve("test-classes"),
                StartUp.class.getName(),
                server)
                .redirectErrorStream(true)
                .start();
    }

    private static String classPath() throws IOException {
        return Files.readString(TARGET.resolve("runtime.classpath")).strip();
    }
}
