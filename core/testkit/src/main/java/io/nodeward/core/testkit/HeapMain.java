package io.nodeward.core.testkit;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Run in a JVM of its own by {@link LargeTopic}: how much of the heap a long answer takes. */
final class HeapMain {
    private static final int MIB = 1024 * 1024;

    private HeapMain() {}

    /** @param arguments the backend's class, what to do, and a label */
    public static void main(String[] arguments) throws Exception {
        ClusterAccess access = new ClusterAccess(OwnJvm.kubeconfig(), Optional.empty(), "nodeward/contract");
        try (ApiServer api = new ApiServer(OwnJvm.backend(arguments[0]).connect(access))) {
            switch (arguments[1]) {
                case "nodes" -> readWhole(api, () -> api.list(Topic.NODES, "", ListOptions.page("", 0, "")));
                case "secrets" -> readWhole(api,
                        () -> api.list(Topic.SECRETS, "default", ListOptions.page(arguments[2], 0, "")));
                default -> readLittle(api);
            }
        }
        System.exit(0);
    }

    @FunctionalInterface
    private interface Listing {
        Response now();
    }

    private static void readWhole(ApiServer api, Listing list) throws IOException {
        LiveHeap heap = new LiveHeap();
        try (Response answer = list.now()) {
            Sampled body = new Sampled(answer.body(), heap);
            OwnJvm.tell("version", ListPage.read(body, Projection.METADATA, object -> {}).resourceVersion());
            OwnJvm.tell("read", body.read);
        }
        OwnJvm.tell("heap", heap.most());
    }

    /** Of an answer that is small only as long as it is compressed. */
    private static void readLittle(ApiServer api) throws IOException {
        LiveHeap heap = new LiveHeap();
        try (Response answer = api.list(Topic.NODES, "", ListOptions.page("", 0, ""))) {
            byte[] read = answer.body().readNBytes(MIB);
            OwnJvm.tell("read", read.length);
            heap.sample();
        }
        try {
            OwnJvm.tell("object", api.get("/api/v1/nodes/a").length);
        } catch (ApiFailure e) {
            OwnJvm.tell("object", e.getClass().getSimpleName());
        }
        heap.sample();
        OwnJvm.tell("heap", heap.most());
    }

    /** Looks at the heap every 8 MiB, while all that was not read yet is still somewhere. */
    private static final class Sampled extends FilterInputStream {
        private final LiveHeap heap;
        private long read;

        Sampled(InputStream in, LiveHeap heap) {
            super(in);
            this.heap = heap;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0 && read / (8 * MIB) != (read + count) / (8 * MIB)) {
                heap.sample();
            }
            read += Math.max(count, 0);
            return count;
        }
    }
}
