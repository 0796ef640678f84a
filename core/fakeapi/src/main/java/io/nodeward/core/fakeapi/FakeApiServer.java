package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A Kubernetes API server on loopback that keeps its objects in memory. It serves what kube-apiserver v1.36 serves for the
 * kinds it knows, to any client that speaks HTTP; {@link #close()} ends every connection and leaves no thread.
 *
 * <p>Each write is noted in managedFields, and server-side apply takes, shares and releases fields as there. It knows of a
 * kind only which maps, sets and lists have items of their own ({@link Kind#withPlaces}): it does not refuse unknown
 * fields, or the lack of required ones but in taints and conditions, and knows no defaults of lists' keys but in Nodes and
 * Pods. Applied objects must be JSON, as all clients send them.
 */
public final class FakeApiServer implements AutoCloseable {
    private static final Writer.By DIRECT = new Writer.By("fakeapi", "", false, true);

    static {
        // Read once by the JDK's server. Without the first, small answers wait for delayed acknowledgements; the others
        // keep idle connections as long as an API server does, so that a client's pool does not find them closed.
        setUnlessSet("sun.net.httpserver.nodelay", "true");
        setUnlessSet("sun.net.httpserver.idleInterval", "180");
        setUnlessSet("sun.net.httpserver.maxIdleConnections", "1000");
    }

    private final Options options;
    private final Registry registry;
    private final Writer writer;
    private final RequestLog requestLog = new RequestLog();
    private final Authorizer authorizer;
    private final Watches watches;
    private final HttpServer http;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("fakeapi-", 0).factory());

    private FakeApiServer(Options options) throws IOException {
        this.options = options;
        this.authorizer = new Authorizer(options.token());
        List<Kind> kinds = new ArrayList<>(Kinds.builtIn());
        kinds.addAll(options.kinds());
        this.registry = new Registry(kinds, options.history());
        this.writer = new Writer(registry);
        this.watches = new Watches(options.bookmarkEvery());
        Router router = new Router(
                registry, new Discovery(kinds), new Verbs(writer), watches, new Evictions(registry, writer));
        this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()), 1024);
        http.setExecutor(threads);
        http.createContext("/", new Handler(router, requestLog, authorizer));
    }

    /** Starts with the namespaces every cluster has, and nothing else. */
    public static FakeApiServer start(Options options) {
        try {
            FakeApiServer server = new FakeApiServer(options);
            for (String namespace : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
                server.create("namespaces", Json.object().set("metadata", Json.object().put("name", namespace)));
            }
            server.http.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on loopback port " + options.port(), e);
        }
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Without a slash at the end. */
    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** YAML that leads kubectl and client libraries here, as one who may do everything. */
    public String kubeconfig() {
        return kubeconfig(options.token().map(t -> "{token: \"" + t + "\"}").orElse("{}"));
    }

    /** As {@link #kubeconfig()}, with another token. */
    public String kubeconfigWithToken(String token) {
        return kubeconfig("{token: \"" + token + "\"}");
    }

    /** Lets those who bring {@code token} do what {@code allowed} says; all else is forbidden to them (403). */
    public void admit(String token, Predicate<Request> allowed) {
        authorizer.admit(token, allowed);
    }

    /** From now on requests with this token get 401; watches that are open go on, as on a real server. */
    public void turnAway(String token) {
        authorizer.turnAway(token);
    }

    private String kubeconfig(String user) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: nodeward
                  cluster: {server: "%s"}
                users:
                - name: nodeward
                  user: %s
                contexts:
                - name: nodeward
                  context: {cluster: nodeward, user: nodeward}
                current-context: nodeward
                """.formatted(url(), user);
    }

    /**
     * Stores an object, its status too.
     *
     * @param resource plural, with group where two kinds share it, for example {@code machines} or
     *     {@code machines.cluster.x-k8s.io}
     * @throws Refusal if the server would not take it
     */
    public JsonNode create(String resource, JsonNode object) {
        Store store = registry.store(resource);
        String namespace = store.kind().namespaced()
                ? object.path("metadata").path("namespace").asText("default")
                : "";
        ObjectNode given = object.deepCopy();
        return shown(store, writer.create(store, version(store), namespace, given, DIRECT));
    }

    /** @param namespace empty for kinds without namespaces */
    public Optional<JsonNode> get(String resource, String namespace, String name) {
        Store store = registry.store(resource);
        return Optional.ofNullable(store.find(namespace, name)).map(s -> shown(store, s));
    }

    /** All objects, of all namespaces, by namespace and name. */
    public List<JsonNode> list(String resource) {
        Store store = registry.store(resource);
        return store.snapshot("", 0, "").objects().stream().map(s -> shown(store, s)).toList();
    }

    /**
     * Merges a patch into an object, its status too; a resourceVersion in it is a precondition.
     *
     * @throws Refusal if there is no such object, or the server would not take the result
     */
    public JsonNode mergePatch(String resource, String namespace, String name, JsonNode patch) {
        Store store = registry.store(resource);
        ObjectNode change = patch.deepCopy();
        return shown(store, writer.update(
                store, version(store), namespace, name, before -> MergePatch.apply(before, change), DIRECT));
    }

    /** Deletes an object; one with finalizers stays, marked as being deleted, until they are taken off. */
    public void delete(String resource, String namespace, String name) {
        Store store = registry.store(resource);
        writer.delete(store, version(store), namespace, name, Json.object(), false);
    }

    /** The newest resourceVersion of all. */
    public long resourceVersion() {
        return registry.version();
    }

    /**
     * The requests answered so far (or cut), watches from when they began; the last 200,000 of them. One whose write is
     * to be seen is among them; so what decides on a write must not ask.
     */
    public List<Request> requests() {
        return requestLog.requests();
    }

    /**
     * Tells of each request from now on, as {@link #requests()} shows it: what it wrote is stored, and the asker does not
     * know yet. Called on the thread that serves the request, which waits for the listener.
     */
    public void listen(Consumer<Request> listener) {
        requestLog.listen(listener);
    }

    public void clearRequests() {
        requestLog.clear();
    }

    /** Lets one request fail: the next that fits. */
    public void fault(Predicate<Request> which, Fault fault) {
        fault(1, which, fault);
    }

    /** Lets so many requests fail: the next that fit. Of several faults that fit, the one planned first is used. */
    public void fault(int times, Predicate<Request> which, Fault fault) {
        if (times < 1) {
            throw new IllegalArgumentException("times is " + times);
        }
        requestLog.plan(times, which, fault);
    }

    public void clearFaults() {
        requestLog.clearFaults();
    }

    public int openWatches() {
        return watches.count();
    }

    /** Cuts the connections of all watches; says how many there were. */
    public int dropWatches() {
        return watches.drop();
    }

    /** Forgets all changes, as a compaction does: every resourceVersion up to now is too old to watch from or to page on. */
    public void expire() {
        registry.stores().forEach(Store::forget);
    }

    private static String version(Store store) {
        return store.kind().versions().getFirst();
    }

    private static JsonNode shown(Store store, Stored stored) {
        return stored.shown(store.kind(), store.kind().apiVersion(version(store)));
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a request does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
