package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ServerLimitsTest {
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    @Test
    void what_is_given_on_the_command_line_stays() {
        ServerLimits.set();
        assertThat(Integer.getInteger(CONNECTIONS)).isPositive();
        assertThat(Integer.getInteger("sun.net.httpserver.maxReqTime")).isPositive();
        assertThat(Integer.getInteger("sun.net.httpserver.maxRspTime")).isPositive();

        String before = System.setProperty(CONNECTIONS, "7");
        ServerLimits.set();
        assertThat(System.setProperty(CONNECTIONS, before)).isEqualTo("7");
    }

    /** Should a JDK count milliseconds one day, as it documents: it looks at them once a second. */
    @Test
    void a_request_may_take_some_seconds() throws Exception {
        ServerLimits.set();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getAddress().getPort())) {
            socket.setSoTimeout(30_000);
            write(socket, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nx");
            Thread.sleep(2_500);
            write(socket, "x");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)).contains("204");
        } finally {
            server.stop(0);
        }
    }

    private static void write(Socket socket, String text) throws Exception {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }
}
