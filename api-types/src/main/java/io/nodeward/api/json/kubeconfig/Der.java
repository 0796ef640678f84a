package io.nodeward.api.json.kubeconfig;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * The DER encodings that certificates and private keys are made of: the JDK reads both, but has no public way to make a
 * certificate, nor to put an older form of key into the one it reads.
 */
public final class Der {
    private static final DateTimeFormatter SHORT =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant LONG_SINCE = Instant.parse("2050-01-01T00:00:00Z");

    private Der() {}

    public static byte[] sequence(byte[]... parts) {
        return tagged(0x30, join(parts));
    }

    public static byte[] set(byte[]... parts) {
        return tagged(0x31, join(parts));
    }

    public static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    public static byte[] isTrue() {
        return tagged(0x01, new byte[]{(byte) 0xff});
    }

    public static byte[] nothing() {
        return tagged(0x05, new byte[0]);
    }

    public static byte[] octets(byte[] content) {
        return tagged(0x04, content);
    }

    /** All bits of the last byte but {@code unused} count. */
    public static byte[] bits(byte[] content, int unused) {
        return tagged(0x03, join(new byte[]{(byte) unused}, content));
    }

    public static byte[] text(String value) {
        return tagged(0x0c, value.getBytes(StandardCharsets.UTF_8));
    }

    /** In the shorter of both forms up to the year 2049, as certificates have to. */
    public static byte[] time(Instant time) {
        return time.isBefore(LONG_SINCE)
                ? tagged(0x17, SHORT.format(time).getBytes(StandardCharsets.US_ASCII))
                : tagged(0x18, LONG.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    /** @param dotted an object identifier such as {@code 2.5.4.3} */
    public static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            base128(out, Integer.parseInt(arcs[i]));
        }
        return tagged(0x06, out.toByteArray());
    }

    /** Explicit or constructed context tag, as {@code [n]} in ASN.1. */
    public static byte[] context(int number, byte[] content) {
        return tagged(0xa0 | number, content);
    }

    /** Primitive context tag, as the names in a subjectAltName. */
    public static byte[] contextPrimitive(int number, byte[] content) {
        return tagged(0x80 | number, content);
    }

    private static void base128(ByteArrayOutputStream out, int value) {
        int shift = 0;
        while (value >>> (shift + 7) != 0) {
            shift += 7;
        }
        for (; shift > 0; shift -= 7) {
            out.write(0x80 | (value >>> shift & 0x7f));
        }
        out.write(value & 0x7f);
    }

    static byte[] tagged(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            out.write(0x80 | length.length - from);
            out.write(length, from, length.length - from);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
