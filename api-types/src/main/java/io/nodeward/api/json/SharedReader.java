package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.KubernetesObject;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Reads each object by several projections. One that cannot read an object does not keep the others from it. */
final class SharedReader implements Projection.Reader<Projected> {
    private final List<Projection<?>> projections;
    private final ReentrantLock lock = new ReentrantLock();
    /** Kept from object to object: it costs more than an object. Null if an object was cut off in it. */
    private @Nullable RepeatedText text;

    SharedReader(Collection<Projection<?>> projections) {
        this.projections = List.copyOf(projections);
    }

    @Override
    public Projected read(JsonParser p) throws IOException {
        lock.lock();
        try {
            RepeatedText copy = copy(p);
            Map<Projection<?>, KubernetesObject> records = HashMap.newHashMap(projections.size());
            IOException defect = null;
            for (Projection<?> projection : projections) {
                try {
                    records.put(projection, projection.read(copy.again()));
                } catch (IOException | RuntimeException e) {
                    defect = e instanceof IOException io ? io : new IOException(e);
                }
            }
            if (records.isEmpty() && defect != null) {
                throw defect;
            }
            return new Projected(records);
        } finally {
            lock.unlock();
        }
    }

    private RepeatedText copy(JsonParser p) throws IOException {
        RepeatedText copy = text == null ? new RepeatedText() : text;
        text = null;
        copy.write(p);
        text = copy;
        return copy;
    }
}
