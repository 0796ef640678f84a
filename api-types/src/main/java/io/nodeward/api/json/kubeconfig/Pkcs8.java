package io.nodeward.api.json.kubeconfig;

import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Puts older forms of private keys into PKCS#8, which the JDK reads. */
final class Pkcs8 {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int CURVE = 0xa0;
    private static final byte[] VERSION = Der.integer(BigInteger.ZERO);
    private static final byte[] RSA = Der.sequence(Der.oid("1.2.840.113549.1.1.1"), Der.nothing());
    private static final byte[] EC_PUBLIC_KEY = Der.oid("1.2.840.10045.2.1");

    private Pkcs8() {}

    static byte[] ofRsa(byte[] pkcs1) {
        return Der.sequence(VERSION, RSA, Der.octets(pkcs1));
    }

    /** Empty if it does not name its curve. */
    static Optional<byte[]> ofEc(byte[] sec1) {
        try {
            ByteBuffer key = content(ByteBuffer.wrap(sec1), SEQUENCE);
            content(key, INTEGER);
            content(key, OCTETS);
            byte[] curve = bytes(content(content(key, CURVE), OBJECT_ID));
            byte[] algorithm = Der.sequence(EC_PUBLIC_KEY, Der.tagged(OBJECT_ID, curve));
            return Optional.of(Der.sequence(VERSION, algorithm, Der.octets(sec1)));
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    // A slice: a length that lies costs nothing.
    private static ByteBuffer content(ByteBuffer in, int tag) {
        if ((in.get() & 0xff) != tag) {
            throw new BufferUnderflowException();
        }
        int length = length(in);
        ByteBuffer content = in.slice(in.position(), length);
        in.position(in.position() + length);
        return content;
    }

    private static int length(ByteBuffer in) {
        int first = in.get() & 0xff;
        return switch (first) {
            case 0x81 -> in.get() & 0xff;
            case 0x82 -> in.getShort() & 0xffff;
            default -> first; // from 0x80 on no key's length: longer than what is there, or refused by the JDK
        };
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
