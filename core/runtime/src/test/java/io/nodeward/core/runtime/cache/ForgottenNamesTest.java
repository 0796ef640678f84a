package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.api.json.Endless;
import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projected;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.StatusJson;
import io.nodeward.api.json.WatchStream;
import io.nodeward.core.testkit.LiveHeap;
import io.nodeward.core.testkit.OwnJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Parsers keep the names in objects for the objects to come. Whoever sends long ones that never come again, be it in parts
 * that nobody reads, must not fill the memory of all.
 */
class ForgottenNamesTest {
    private static final int MANY = 300;
    private static final int LENGTH = 256 << 10;
    /** Bytes; all names would take 75 MiB, and a parser holds each twice. */
    private static final long MOST = 64L << 20;

    @Test
    void names_that_never_come_again_are_not_kept() throws Exception {
        Map<String, String> told = OwnJvm.run(Retained.class);

        assertThat(told).containsOnlyKeys("replies", "failures", "reviews", "events", "shared events", "list");
        assertThat(told).allSatisfy((of, bytes) -> assertThat(Long.parseLong(bytes)).as(of).isLessThan(MOST));
    }

    /** Run in a JVM of its own: the heap of one that other tests share is not ours alone. */
    static final class Retained {
        private static final Projection<Projected> SHARED =
                Projection.all(List.of(Projection.NODE, Projection.METADATA));
        private static long before;

        private Retained() {}

        public static void main(String[] none) throws IOException {
            before = LiveHeap.settled();
            for (int i = 0; i < MANY; i++) {
                Projection.METADATA.read(bytes(object(i)));
            }
            tell("replies");
            for (int i = 0; i < 4 * MANY; i++) { // of which no more is read
                StatusJson.read(422, bytes("{\"" + i + "x".repeat(LENGTH / 4) + "\":1}"));
            }
            tell("failures");
            for (int i = 0; i < MANY; i++) {
                AdmissionReviews.read(bytes("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
                        + "\"request\":{\"uid\":\"u\",\"object\":" + object(i) + "}}"),
                        AdmissionReviews.shape(Shape.of(List.of())));
            }
            tell("reviews");
            follow("events", Projection.NODE);
            follow("shared events", SHARED);
            InputStream list = new Endless("{\"items\":[", i -> object(i) + ",");
            int[] items = {0};
            ListPage.read(list, Projection.NODE, node -> {
                if (++items[0] == MANY) {
                    tell("list");
                    System.exit(0);
                }
            });
        }

        private static void follow(String name, Projection<?> projection) throws IOException {
            WatchStream<?> events =
                    new WatchStream<>(new Endless("", i -> "{\"type\":\"ADDED\",\"object\":" + object(i) + "}"),
                            projection);
            for (int i = 0; i < MANY; i++) {
                events.next();
            }
            tell(name);
            events.next(); // it is in use still
        }

        private static void tell(String name) {
            OwnJvm.tell(name, LiveHeap.settled() - before);
        }

        private static String object(int number) {
            return "{\"metadata\":{\"name\":\"n\"},\"status\":{\"" + number + "x".repeat(LENGTH) + "\":1}}";
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
