package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UncaughtExceptionsTest {
    @Test
    void what_a_thread_throws_is_known_with_its_name_until_it_has_been_reported() throws Exception {
        Thread.ofVirtual().name("seeded-1").start(UncaughtExceptionsTest::fail).join();
        Thread.ofPlatform().name("seeded-2").start(UncaughtExceptionsTest::fail).join();

        assertThatThrownBy(UncaughtExceptions::check).hasMessageContaining("'seeded-1'")
                .hasRootCauseMessage("of the test").satisfies(first -> assertThatThrownBy(() -> {
                    throw first.getSuppressed()[0];
                }).hasMessageContaining("'seeded-2'"));
        assertThatCode(UncaughtExceptions::check).doesNotThrowAnyException();
    }

    @Test
    void it_is_not_blamed_on_whoever_waits_meanwhile() {
        AtomicBoolean over = new AtomicBoolean();
        Thread failing = Thread.ofVirtual().name("seeded").unstarted(UncaughtExceptionsTest::fail);
        await().until(() -> {
            if (failing.getState() == Thread.State.NEW) {
                failing.start();
                failing.join();
            }
            return over.getAndSet(true);
        });

        assertThatThrownBy(UncaughtExceptions::check).hasMessageContaining("'seeded'");
    }

    private static void fail() {
        throw new IllegalStateException("of the test");
    }
}
