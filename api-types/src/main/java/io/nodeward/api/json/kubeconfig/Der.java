package io.nodeward.api.json.kubeconfig;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/** Puts older forms of private keys into PKCS#8, which the JDK reads. */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int OBJECT_ID = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int CURVE = 0xa0;
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC_PUBLIC_KEY = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Der() {}

    static byte[] pkcs8OfRsa(byte[] pkcs1) {
        return value(SEQUENCE, VERSION, RSA, value(OCTETS, pkcs1));
    }

    /** Empty if it does not name its curve. */
    static Optional<byte[]> pkcs8OfEc(byte[] sec1) {
        try {
            ByteBuffer key = content(ByteBuffer.wrap(sec1), SEQUENCE);
            content(key, INTEGER);
            content(key, OCTETS);
            byte[] curve = bytes(content(content(key, CURVE), OBJECT_ID));
            byte[] algorithm = value(SEQUENCE, EC_PUBLIC_KEY, value(OBJECT_ID, curve));
            return Optional.of(value(SEQUENCE, VERSION, algorithm, value(OCTETS, sec1)));
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

    private static byte[] value(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        value.writeBytes(length(content.size()));
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }

    private static byte[] length(int length) {
        if (length < 0x80) {
            return new byte[]{(byte) length};
        }
        byte[] digits = BigInteger.valueOf(length).toByteArray();
        int sign = digits[0] == 0 ? 1 : 0;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x80 + digits.length - sign);
        out.write(digits, sign, digits.length - sign);
        return out.toByteArray();
    }
}
