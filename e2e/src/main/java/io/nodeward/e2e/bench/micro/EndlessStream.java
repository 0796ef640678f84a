package io.nodeward.e2e.bench.micro;

import java.io.InputStream;

/** The same texts over and over, in pieces no larger than a TLS record. */
final class EndlessStream extends InputStream {
    private static final int RECORD = 16 * 1024;

    private final byte[][] texts;
    private int text;
    private int position;

    EndlessStream(byte[]... texts) {
        this.texts = texts;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        byte[] from = texts[text];
        int count = Math.min(Math.min(length, RECORD), from.length - position);
        System.arraycopy(from, position, bytes, offset, count);
        position += count;
        if (position == from.length) {
            position = 0;
            text = (text + 1) % texts.length;
        }
        return count;
    }
}
