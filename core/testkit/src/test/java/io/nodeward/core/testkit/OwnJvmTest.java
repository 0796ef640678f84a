package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnJvmTest {
    @Test
    void a_jvm_that_crashed_and_dumped_its_threads_is_started_once_more(@TempDir Path directory) throws Exception {
        assertThat(run(directory, 1, 134, true)).isEqualTo("2");
        assertThat(run(directory, 1, 139, true)).isEqualTo("2");
        assertThat(run(directory, 0, 134, true)).isEqualTo("1");
    }

    @Test
    void a_second_crash_fails_and_so_does_any_other_end(@TempDir Path directory) {
        assertFails(directory, 2, 134, true, "start 2");
        assertFails(directory, 1, 1, true, "start 1");
        assertFails(directory, 1, 137, true, "start 1");
    }

    @Test
    void the_first_crash_of_one_that_dumped_no_threads_fails(@TempDir Path directory) {
        assertFails(directory, 1, 134, false, "start 1");
        assertFails(directory, 1, 139, false, "start 1");
    }

    private static void assertFails(Path directory, int failing, int code, boolean dumps, String last) {
        assertThatThrownBy(() -> run(directory, failing, code, dumps)).isInstanceOf(AssertionError.class)
                .hasMessageContaining(last).hasMessageContaining(String.valueOf(code));
    }

    private static String run(Path directory, int failing, int code, boolean dumps) throws Exception {
        Path starts = Files.createTempFile(directory, "starts", "");
        return OwnJvm.run(Failing.class, "", List.of(starts.toString(), String.valueOf(failing), String.valueOf(code),
                String.valueOf(dumps))).getOrDefault("starts", "");
    }

    static final class Failing {
        private Failing() {}

        /** @param arguments a file that has a byte for each start, how many starts fail, the exit code of these, and whether it dumps threads */
        public static void main(String[] arguments) throws IOException {
            Path starts = Path.of(arguments[0]);
            int start = Files.readString(starts).length() + 1;
            Files.writeString(starts, "x".repeat(start));
            System.out.println("start " + start);
            if (Boolean.parseBoolean(arguments[3])) {
                OwnJvm.dumpsThreads();
            }
            if (start <= Integer.parseInt(arguments[1])) {
                Runtime.getRuntime().halt(Integer.parseInt(arguments[2]));
            }
            OwnJvm.tell("starts", start);
        }
    }
}
