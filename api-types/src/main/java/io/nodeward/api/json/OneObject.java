package io.nodeward.api.json;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of objects, none of which may be without end: what comes for one is counted. Servers may be anybody's, and an
 * object that is kept in part is in memory until it is over.
 */
final class OneObject extends FilterInputStream {
    /** Bytes. What etcd stores has 1.5 MB; JSON may write a character of it with six. */
    static final int LARGEST = 10 << 20;

    private int left = LARGEST;
    private long read;

    OneObject(InputStream in) {
        super(in);
    }

    /** Another object begins. */
    void next() {
        left = LARGEST;
    }

    /** Bytes of all that has come. */
    long count() {
        return read;
    }

    /** This one may have so many more bytes at the most. */
    void atMost(int bytes) {
        left = Math.min(left, bytes);
    }

    @Override
    public int read() throws IOException {
        return counted(super.read(), 1);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        return counted(count, count);
    }

    private int counted(int result, int bytes) throws IOException {
        if (result >= 0) {
            left -= bytes;
            read += bytes;
            if (left < 0) {
                throw new IOException("an object is too large");
            }
        }
        return result;
    }
}
