package io.nodeward.core.runtime.https;

/** Limits of the JDK's HTTP server, which are the same for all servers of a process. */
public final class ServerLimits {
    /** The connections of one server. An API server opens one for each of its calls, of which 600 may be in flight by default. */
    private static final int CONNECTIONS = 1024;
    /** Seconds for a request, and once more for its answer; the JDK documents milliseconds, and counts seconds. */
    private static final int REQUEST = 10;

    private ServerLimits() {}

    /** Sets them, but for those that were set on the command line; to be called before the first server is made. */
    public static void set() {
        set("jdk.httpserver.maxConnections", CONNECTIONS);
        set("sun.net.httpserver.maxReqTime", REQUEST);
        set("sun.net.httpserver.maxRspTime", REQUEST); // or a caller that reads no answer keeps its connection for ever
    }

    private static void set(String property, int limit) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(limit));
        }
    }
}
