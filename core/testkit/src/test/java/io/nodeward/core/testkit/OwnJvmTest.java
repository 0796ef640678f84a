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
    void a_jvm_that_crashed_is_started_once_more(@TempDir Path directory) throws Exception {
        assertThat(run(directory, 1, 134)).isEqualTo("2");
        assertThat(run(directory, 1, 139)).isEqualTo("2");
        assertThat(run(directory, 0, 134)).isEqualTo("1");
    }

    @Test
    void a_second_crash_fails_and_so_does_any_other_end(@TempDir Path directory) throws IOException {
        assertThatThrownBy(() -> run(directory, 2, 134)).isInstanceOf(AssertionError.class)
                .hasMessageContaining("start 2").hasMessageContaining("134");
        assertThatThrownBy(() -> run(directory, 1, 1)).isInstanceOf(AssertionError.class)
                .hasMessageContaining("start 1");
        assertThatThrownBy(() -> run(directory, 1, 137)).isInstanceOf(AssertionError.class)
                .hasMessageContaining("start 1");
    }

    private static String run(Path directory, int failing, int code) throws Exception {
        Path starts = Files.createTempFile(directory, "starts", "");
        return OwnJvm.run(Failing.class, "", List.of(starts.toString(), String.valueOf(failing), String.valueOf(code)))
                .getOrDefault("starts", "");
    }

    static final class Failing {
        private Failing() {}

        /** @param arguments a file that has a byte for each start, how many starts fail, and the exit code of these */
        public static void main(String[] arguments) throws IOException {
            Path starts = Path.of(arguments[0]);
            int start = Files.readString(starts).length() + 1;
            Files.writeString(starts, "x".repeat(start));
            System.out.println("start " + start);
            if (start <= Integer.parseInt(arguments[1])) {
                Runtime.getRuntime().halt(Integer.parseInt(arguments[2]));
            }
            OwnJvm.tell("starts", start);
        }
    }
}
