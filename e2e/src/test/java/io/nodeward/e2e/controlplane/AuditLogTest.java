package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    @TempDir
    Path directory;

    private Path file;
    private AuditLog log;

    @BeforeEach
    void empty() throws IOException {
        file = Files.createFile(directory.resolve("audit.log"));
        log = new AuditLog(file);
    }

    @Test
    void what_comes_after_a_mark_is_told_in_its_order_and_again_to_who_asks_again() throws IOException {
        append(line("before") + "\n");
        AuditLog.Mark mark = log.mark();
        append(line("one") + "\n" + line("twö") + "\n");
        assertThat(names(mark)).containsExactly("one", "twö");
        append(line("three") + "\n");
        assertThat(names(mark)).containsExactly("one", "twö", "three");
        assertThat(names(log.mark())).isEmpty();
    }

    @Test
    void a_line_that_is_half_written_waits_for_its_end() throws IOException {
        AuditLog.Mark mark = log.mark();
        String half = line("half");
        append(line("whole") + "\n" + half.substring(0, 40));
        assertThat(names(mark)).containsExactly("whole");
        append(half.substring(40));
        assertThat(names(mark)).as("the end of the line is missing").containsExactly("whole");
        append("\n");
        assertThat(names(mark)).containsExactly("whole", "half");
    }

    @Test
    void a_line_that_is_half_written_at_a_mark_came_before_it() throws IOException {
        String half = line("before");
        append(half.substring(0, 40));
        AuditLog.Mark mark = log.mark();
        append(half.substring(40));
        assertThat(names(mark)).isEmpty();
        append("\n" + line("after") + "\n");
        assertThat(names(mark)).containsExactly("after");
    }

    @Test
    void a_line_is_read_once_however_often_it_is_asked_for() throws IOException {
        AuditLog.Mark mark = log.mark();
        append(line("read") + "\n");
        assertThat(names(mark)).containsExactly("read");
        // Who reads it again finds no JSON there any more.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("garbage".getBytes()), 0);
        }
        append(line("later") + "\n");
        assertThat(names(mark)).containsExactly("read", "later");
    }

    private List<String> names(AuditLog.Mark mark) {
        return log.since(mark).map(AuditRequest::name).toList();
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }

    private static String line(String name) {
        return """
                {"verb":"get","stage":"ResponseComplete","objectRef":{"resource":"nodes","name":"%s"},\
                "requestReceivedTimestamp":"2026-01-02T03:04:05.000000Z",\
                "stageTimestamp":"2026-01-02T03:04:06.000000Z"}""".formatted(name);
    }
}
