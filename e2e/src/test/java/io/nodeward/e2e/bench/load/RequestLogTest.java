package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestLogTest {
    @TempDir
    private Path directory;

    @Test
    void only_the_controllers_requests_after_the_mark_count() throws IOException {
        Path file = Files.writeString(directory.resolve("audit.log"), line("bench", "before"));
        RequestLog log = new RequestLog(new AuditLog(file), request -> request.user().equals("bench"));
        AuditLog.Mark mark = log.mark();
        Files.writeString(file, line("bench", "a") + line("kubelet", "b") + line("bench", "c"),
                StandardOpenOption.APPEND);
        assertThat(log.since(mark)).extracting(AuditRequest::name).containsExactly("a", "c");
    }

    private static String line(String user, String name) {
        return """
                {"stage":"ResponseComplete","verb":"patch","requestURI":"/api/v1/nodes/%s","user":{"username":"%s"},\
                "objectRef":{"resource":"nodes","name":"%1$s"},"responseStatus":{"code":200},\
                "requestReceivedTimestamp":"2026-01-02T03:04:05.000000Z",\
                "stageTimestamp":"2026-01-02T03:04:06.000000Z"}
                """.formatted(name, user);
    }
}
