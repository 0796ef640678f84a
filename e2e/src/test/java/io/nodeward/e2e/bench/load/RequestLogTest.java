package io.nodeward.e2e.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestLogTest {
    @TempDir
    private Path directory;

    private Path file;
    private RequestLog log;

    @BeforeEach
    void empty() throws IOException {
        file = Files.createFile(directory.resolve("audit.log"));
        log = new RequestLog(file, request -> request.user().equals("bench"));
    }

    @Test
    void only_the_controllers_requests_after_the_mark_count() throws IOException {
        append(line("bench", "before"));
        long mark = log.mark();
        append(line("bench", "a") + line("somebody", "b") + line("bench", "c"));
        assertThat(log.since(mark)).extracting(LoggedRequest::name).containsExactly("a", "c");
    }

    @Test
    void a_line_that_is_still_being_written_waits() throws IOException {
        String second = line("bench", "b");
        append(line("bench", "a") + second.substring(0, 20));
        assertThat(log.since(0)).extracting(LoggedRequest::name).containsExactly("a");
        append(second.substring(20));
        assertThat(log.since(0)).extracting(LoggedRequest::name).containsExactly("a", "b");
    }

    @Test
    void lines_may_lie_across_the_pieces_in_which_the_file_is_read() throws IOException {
        int many = 12_000; // over a piece of 1 MiB
        append(IntStream.range(0, many).mapToObj(i -> line("bench", "n" + i)).collect(Collectors.joining()));
        List<LoggedRequest> requests = log.since(0);
        assertThat(Files.size(file)).isGreaterThan(1 << 20);
        assertThat(requests).hasSize(many);
        assertThat(requests.get(many - 1).name()).isEqualTo("n" + (many - 1));
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static String line(String user, String name) {
        return ("{\"stage\":\"ResponseComplete\",\"verb\":\"patch\",\"requestURI\":\"/api/v1/nodes/%s\",\"user\":{\"username\":"
                + "\"%s\"},\"objectRef\":{\"resource\":\"nodes\",\"name\":\"%s\"},\"responseStatus\":{\"code\":200}}\n")
                .formatted(name, user, name);
    }
}
