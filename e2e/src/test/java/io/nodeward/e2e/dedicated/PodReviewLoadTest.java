package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.TlsContext;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods are created while others keep the webhook busy, and no pod is created without its review. */
@Tag("deep")
class PodReviewLoadTest {
    /**
     * An API server waits 3 s for each of the two reviews of a pod: two thirds of one for both are a clear margin.
     */
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final int PODS = 40;
    private static final String OF_GPU = ",\"resourceClaims\":[{\"name\":\"r\",\"resourceClaimTemplateName\":\"gpu\"}]";
    private static final int PART = 32 << 10;

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;
    private AdminClient author;
    private URI webhook;
    private SSLSocketFactory tls;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.grantPods();
        List.of("mine", "others", "flood").forEach(suite::namespace);
        suite.node("node");
        suite.declare("mine", """
                {'nodes':{'names':['node']},'enforcement':'Enforce','who':{'namespaces':['mine']},
                 'taint':{'key':'dedicated','value':'mine','effects':['NoSchedule']}}""");
        suite.declare("gpus", """
                {'nodes':{'names':['gpus']},'enforcement':'Enforce','who':{'deviceClasses':['gpu']},
                 'taint':{'key':'dedicated','value':'gpus','effects':['NoSchedule']}}""");
        for (String namespace : List.of("mine", "others")) {
            suite.admin().create("/apis/resource.k8s.io/v1/namespaces/" + namespace + "/resourceclaimtemplates",
                    Json.parse("""
                            {"metadata":{"name":"gpu"},"spec":{"spec":{"devices":{"requests":[
                              {"name":"r","exactly":{"deviceClassName":"gpu"}}]}}}}"""));
        }
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @BeforeEach
    void run() {
        nodeward = suite.runForPods("Fail");
        author = suite.user("author");
        suite.awaitCondition("mine", "Ready", "True");
        JsonNode client = suite.admin().get(DedicatedSuite.VALIDATING).at("/webhooks/0/clientConfig");
        webhook = URI.create(client.path("url").asText());
        String authority = new String(Base64.getDecoder().decode(client.path("caBundle").asText()),
                StandardCharsets.UTF_8);
        tls = TlsContext.of(new Kubeconfig(webhook.toString(), authority, new Kubeconfig.Token("")))
                .getSocketFactory();
    }

    @AfterEach
    void stop() {
        author.close();
        nodeward.close();
    }

    @Test
    void while_32_connections_send_half_a_body() throws Exception {
        try (Attack attack = new Attack(32, this::sendHalf)) {
            createUntil(attack, 64, "");
        }
    }

    @Test
    void while_16_connections_send_bodies_without_end() throws Exception {
        try (Attack attack = new Attack(16, this::sendEndless)) {
            createUntil(attack, 32, "");
        }
    }

    @Test
    void while_one_namespace_creates_64_pods_at_a_time() throws Exception {
        createBesideCrowd("", "");
    }

    /** Each review asks the API server for the template, and no more than a few ask at once. */
    @Test
    void while_one_namespace_creates_64_members_by_a_claim_at_a_time() throws Exception {
        createBesideCrowd(OF_GPU, "");
        assertThat(nodeward.metric("nodeward_dedicated_claim_reads_total")).isPositive();
    }

    /** The author's pods need the API server's word on a claim, too. */
    @Test
    void while_one_namespace_names_16_claims_that_do_not_exist_in_each_of_64_pods_at_a_time() throws Exception {
        createBesideCrowd(IntStream.range(0, 16)
                .mapToObj(i -> "{\"name\":\"r" + i + "\",\"resourceClaimName\":\"none-" + i + "\"}")
                .collect(Collectors.joining(",", ",\"resourceClaims\":[", "]")), OF_GPU);
        assertThat(nodeward.metric("nodeward_dedicated_claim_reads_total")).isPositive();
        assertThat(nodeward.metric("nodeward_dedicated_new_claim_reads_total")).isPositive();
    }

    /** An API server would store a pod whose review fails. */
    @Test
    void while_one_namespace_creates_large_pods_that_have_no_right_to_the_nodes_of_others() throws Exception {
        nodeward.close();
        nodeward = suite.runForPods("Ignore");
        String large =
                ",\"tolerations\":[{\"key\":\"dedicated\",\"value\":\"mine\"}],\"initContainers\":[{\"name\":\"i\","
                        + "\"image\":\"i\",\"env\":[{\"name\":\"e\",\"value\":\"" + "x".repeat(1 << 20) + "\"}]}]";
        Map<Integer, Integer> codes = new ConcurrentHashMap<>();
        try (AdminClient crowd = suite.user("crowd"); Attack attack = new Attack(24, load -> {
            load.begun.incrementAndGet();
            AdminClient.Reply reply = create(crowd, "flood", large);
            codes.merge(reply.code(), 1, Integer::sum);
            assertThat(reply.code()).as("%s", reply.body()).isIn(403, 429);
        })) {
            createUntil(attack, 255, "");
        }
        assertThat(suite.admin().get("/api/v1/namespaces/flood/pods").path("items")).as("%s", codes).isEmpty();
    }

    private void createBesideCrowd(String spec, String ofAuthor) throws Exception {
        try (AdminClient crowd = suite.user("crowd"); Attack attack = new Attack(64, load -> {
            load.begun.incrementAndGet();
            AdminClient.Reply reply = create(crowd, "others", spec);
            assertThat(reply.isOk()).as("" + reply.body()).isTrue();
        })) {
            createUntil(attack, 640, ofAuthor);
        }
    }

    /** Creates pods one after another from when all of the attack has begun until it has been through so many rounds. */
    private void createUntil(Attack attack, int rounds, String spec) {
        await("all of the attack").atMost(MachineSuite.PATIENCE)
                .until(() -> attack.begun.get() >= attack.threads.size());
        Duration longest = Duration.ZERO;
        int pods = 0;
        while (pods < PODS || attack.ended.get() < rounds) {
            assertThat(attack.faults).isEmpty();
            long start = System.nanoTime();
            AdminClient.Reply reply = create(author, "mine", spec);
            pods++;
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(reply.isOk()).as("pod %s after %s: %s", pods, took, reply.body()).isTrue();
            assertThat(reply.body().at("/spec/tolerations").valueStream().map(it -> it.path("value").asText()))
                    .containsOnlyOnce("mine");
            longest = took.compareTo(longest) > 0 ? took : longest;
        }
        assertThat(longest).as("the longest of %s", pods).isLessThan(LONGEST);
    }

    private static AdminClient.Reply create(AdminClient client, String namespace, String spec) {
        return client.send("POST", "/api/v1/namespaces/" + namespace + "/pods", AdminClient.JSON,
                "{\"metadata\":{\"generateName\":\"p-\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]"
                        + spec
                        + "}}");
    }

    /** And waits until the webhook has had enough of it. */
    private void sendHalf(Attack attack) throws IOException {
        try (SSLSocket socket = connected("Content-Length: " + 2 * PART)) {
            socket.getOutputStream().write(new byte[PART]);
            attack.begun.incrementAndGet();
            socket.getInputStream().readAllBytes();
        }
    }

    private void sendEndless(Attack attack) throws IOException {
        try (SSLSocket socket = connected("Transfer-Encoding: chunked")) {
            OutputStream body = socket.getOutputStream();
            byte[] chunk = ("8000\r\n" + "x".repeat(PART) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            body.write(chunk);
            attack.begun.incrementAndGet();
            while (!attack.over) {
                body.write(chunk);
            }
        }
    }

    private SSLSocket connected(String length) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(webhook.getHost(), webhook.getPort());
        socket.setSoTimeout((int) MachineSuite.PATIENCE.toMillis());
        socket.getOutputStream().write(("POST " + webhook.getPath() + " HTTP/1.1\r\nHost: x\r\n" + length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Threads that do one thing over and over. */
    private static final class Attack implements AutoCloseable {
        private interface Round {
            void run(Attack attack) throws IOException;
        }

        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private final Collection<AssertionError> faults = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads;
        private volatile boolean over;

        /** Of the platform, as virtual ones would take the webhook's carriers. */
        Attack(int many, Round round) {
            threads = IntStream.range(0, many).mapToObj(i -> Thread.ofPlatform().name("attack-" + i)
                    .unstarted(() -> repeat(round))).toList();
            threads.forEach(Thread::start);
        }

        private void repeat(Round round) {
            while (!over) {
                try {
                    round.run(this);
                } catch (IOException e) {
                    // the webhook has cut the connection, which is what it should do
                } catch (AssertionError e) {
                    faults.add(e);
                }
                ended.incrementAndGet();
            }
        }

        @Override
        public void close() throws InterruptedException {
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
