package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is promised changes on purpose: a change of it is a change of a file, which a reviewer sees. */
class PromisedApiTest {
    private static final Path FILES = Path.of("..", "..", "docs", "reference", "api");
    private static final String TO_ACCEPT = " is not what the code has. If the change is meant, accept it by "
            + "'mvn -pl controller/app -am test -Dnodeward.docs=write', and commit the file with it. "
            + "A line that goes breaks those who use it";

    @ParameterizedTest
    @EnumSource(Promise.class)
    void what_is_promised_is_what_was_accepted(Promise promise) throws IOException {
        Path file = FILES.resolve(promise.name().toLowerCase(Locale.ROOT) + ".txt");
        String signatures = promise.signatures();
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.createDirectories(FILES);
            Files.writeString(file, signatures);
        }
        assertThat(signatures.lines()).as(file + TO_ACCEPT)
                .containsExactlyElementsOf(Files.exists(file) ? Files.readAllLines(file) : Set.of());
    }

    @Test
    void a_signature_has_all_that_others_compile_against() {
        Set<String> lines = new TreeSet<>();
        Promise.addTo(lines, Seen.class);
        String name = Seen.class.getName();
        String outer = PromisedApiTest.class.getName();
        assertThat(lines).containsExactly(
                name + ": protected T " + name + ".of(java.util.List<? extends T>) throws java.io.IOException",
                name + ": protected " + name + "(java.lang.String)",
                name + ": public abstract static class " + name + "<T> extends " + outer
                        + "$Hidden implements java.util.function.Supplier<T>",
                name + ": public static final int " + name + ".LIMIT",
                name + ": public void " + outer + "$Hidden.inherited()");
    }

    static class Hidden {
        public void inherited() {}

        void internal() {}
    }

    public abstract static class Seen<T> extends Hidden implements java.util.function.Supplier<T> {
        public static final int LIMIT = 1;
        static final int INTERNAL = 1;

        protected Seen(String name) {}

        Seen(int number) {}

        protected T of(java.util.List<? extends T> list) throws IOException {
            return list.getFirst();
        }

        private void unseen() {}
    }
}
