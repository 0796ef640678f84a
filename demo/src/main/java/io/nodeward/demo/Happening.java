package io.nodeward.demo;

import io.nodeward.core.fakeapi.Request;

/** What the demo waits for. */
sealed interface Happening {
    /** @param nanos when the server answered, on the clock of {@link System#nanoTime()} */
    record Asked(Request request, long nanos) implements Happening {
        /** Not by the {@code nodeward} command, which somebody typed. */
        boolean byController() {
            return request.userAgent().startsWith("nodeward/") && !request.userAgent().endsWith("; cli)");
        }

        boolean isWrite() {
            return !request.method().equals("GET");
        }

        boolean isWatch() {
            return request.query().contains("watch=");
        }

        /** Method and path as kubectl would name the object, for example {@code PATCH nodes/web-1}. */
        String what() {
            return request.method() + " "
                    + request.path().replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)/(namespaces/[^/]+/)?", "");
        }
    }

    /** A line from the keyboard. */
    record Typed(String line) implements Happening {
        boolean quits() {
            return line.strip().equalsIgnoreCase("q");
        }
    }
}
