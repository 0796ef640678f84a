package io.nodeward.core.spi;

import io.nodeward.api.json.StatusJson;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The verbs of one API server: bytes in, bytes out, and an {@link ApiFailure} for every answer that is not a success. */
public final class ApiServer implements AutoCloseable {
    /** Asks for metadata alone in the reply to a write: the caller knows the rest, having just sent it. */
    public static final String METADATA_ONLY =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

    private static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

    private static final String JSON = "application/json";
    /** A server answers or fails within this; its own limit for non-streaming requests is 60 s. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Bytes. Ten times what a server stores of an object; who sends more means no good, or is no API server. */
    private static final int LONGEST_ANSWER = 16 * 1024 * 1024;

    private final Transport transport;
    private final Duration timeout;

    public ApiServer(Transport transport) {
        this(transport, TIMEOUT);
    }

    /** @param timeout until an answer is read whole, or of a list or watch that streams, until its head is there */
    public ApiServer(Transport transport, Duration timeout) {
        this.transport = transport;
        this.timeout = timeout;
    }

    /** The body of any path, for discovery and health as well as objects. */
    public byte[] get(String path) {
        return read(send("GET", path, JSON, Optional.empty(), ""), "GET " + path);
    }

    public byte[] get(Resource resource, ObjectKey key) {
        return get(resource.object(key));
    }

    /** The list's JSON as it comes; the caller closes it. */
    public Response list(Resource resource, String namespace, ListOptions options) {
        return stream(
                resource.collection(namespace) + options.query(false), options.metadataOnly() ? METADATA_LIST : JSON);
    }

    /** A page of a list, read whole within the time limit, however long it is. */
    public byte[] page(Resource resource, String namespace, ListOptions options) {
        String path = resource.collection(namespace) + options.query(false);
        String accept = options.metadataOnly() ? METADATA_LIST : JSON;
        return read(send("GET", path, accept, Optional.empty(), ""), "GET " + path, Integer.MAX_VALUE - 1);
    }

    /** Watch events, one JSON object each, until the server or the caller ends them; the caller closes it. */
    public Response watch(Resource resource, String namespace, ListOptions options) {
        return stream(
                resource.collection(namespace) + options.query(true), options.metadataOnly() ? METADATA_ONLY : JSON);
    }

    /** Returns the object's metadata after the patch. */
    public byte[] patch(Resource resource, ObjectKey key, Patch patch) {
        return patch(resource, key, patch, PatchOptions.NONE);
    }

    /** Returns the object's metadata, or the whole object, as it is after the patch. */
    public byte[] patch(Resource resource, ObjectKey key, Patch patch, PatchOptions options) {
        return patch(resource.object(key), patch, options);
    }

    /** As {@link #patch}, of the subresource {@code status}: what the patch says of anything else is ignored. */
    public byte[] patchStatus(Resource resource, ObjectKey key, Patch patch) {
        return patch(resource.object(key) + "/status", patch, PatchOptions.NONE);
    }

    private byte[] patch(String path, Patch patch, PatchOptions options) {
        String accept = options.wholeObject() ? JSON : METADATA_ONLY;
        return read(
                send("PATCH", path + options.query(patch.fieldManager(), patch.force()), accept,
                        Optional.of(patch.body()), patch.contentType()),
                "PATCH " + path);
    }

    /** Returns the metadata of the object as created. */
    public byte[] create(Resource resource, String namespace, byte[] object, String fieldManager) {
        return create(resource, namespace, object, fieldManager, PatchOptions.NONE);
    }

    /** Returns the object's metadata, or the whole object, as created. */
    public byte[] create(
            Resource resource, String namespace, byte[] object, String fieldManager, PatchOptions options) {
        String path = resource.collection(namespace);
        String accept = options.wholeObject() ? JSON : METADATA_ONLY;
        return read(
                send("POST", path + options.query(fieldManager, false), accept, Optional.of(object), JSON),
                "POST " + path);
    }

    /** Posts an object of a kind that the server answers and does not keep, such as TokenReview; returns the answer. */
    public byte[] post(Resource resource, byte[] object) {
        String path = resource.collection("");
        return read(send("POST", path, JSON, Optional.of(object), JSON), "POST " + path);
    }

    /** Asks for something of an object, for example its {@code eviction}; returns what the server says to it. */
    public byte[] create(
            Resource resource, ObjectKey key, String subresource, byte[] object, String fieldManager) {
        String path = resource.object(key) + "/" + subresource;
        String query = "?fieldManager=" + Resource.encoded(fieldManager);
        return read(send("POST", path + query, JSON, Optional.of(object), JSON), "POST " + path);
    }

    public void delete(Resource resource, ObjectKey key) {
        delete(resource, key, DeleteOptions.NONE);
    }

    /** @throws ApiFailure.Conflict if the object is another one, or another version, than the options name */
    public void delete(Resource resource, ObjectKey key, DeleteOptions options) {
        String path = resource.object(key);
        read(send("DELETE", path, JSON, options.body(), JSON), "DELETE " + path);
    }

    @Override
    public void close() {
        transport.close();
    }

    private Response stream(String path, String accept) {
        Request request = new Request("GET", path, Map.of("Accept", accept), Optional.empty(), timeout, true);
        Response response = transport.exchange(request);
        if (response.status() != 200) {
            throw failure(response, "GET " + path);
        }
        return response;
    }

    private Response send(String method, String path, String accept, Optional<byte[]> body, String contentType) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Accept", accept);
        if (body.isPresent()) {
            headers.put("Content-Type", contentType);
        }
        return transport.exchange(new Request(method, path, headers, body, timeout, false));
    }

    private static byte[] read(Response response, String doing) {
        return read(response, doing, LONGEST_ANSWER);
    }

    private static byte[] read(Response response, String doing, int longest) {
        if (response.status() / 100 != 2) {
            throw failure(response, doing);
        }
        try (response) {
            byte[] body = response.body().readNBytes(longest + 1);
            if (body.length <= longest) {
                return body;
            }
        } catch (IOException e) {
            throw ApiFailure.unreachable(doing, "the answer was cut", e);
        }
        throw ApiFailure.unreachable(
                doing, "the answer is longer than " + longest + " bytes", new IOException("longer than any object"));
    }

    private static ApiFailure failure(Response response, String doing) {
        try (response) {
            byte[] body = response.body().readNBytes(64 * 1024);
            return ApiFailure.of(StatusJson.read(response.status(), body), doing, response.retryAfter());
        } catch (IOException e) {
            return ApiFailure.unreachable(doing, response.status() + ", and the answer was cut", e);
        }
    }
}
