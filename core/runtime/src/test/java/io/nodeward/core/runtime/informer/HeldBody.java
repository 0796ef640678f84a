package io.nodeward.core.runtime.informer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A body that is empty until the test releases it. An interrupt does not end the wait of its reader. */
class HeldBody extends InputStream {
    private final CountDownLatch awaited = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final InputStream text;
    private volatile Thread reader;

    /** Single quotes become double ones. */
    HeldBody(String text) {
        this.text = new ByteArrayInputStream(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** Its thread, once it waits for this body. */
    Thread reader() throws InterruptedException {
        awaited.await();
        return reader;
    }

    void release() {
        released.countDown();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        reader = Thread.currentThread();
        awaited.countDown();
        await(released);
        return text.read(bytes, offset, length);
    }

    static void await(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // it comes all the same
            }
        }
    }
}
