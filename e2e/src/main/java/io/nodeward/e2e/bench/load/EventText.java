package io.nodeward.e2e.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Finds in a watch event the object's name and the value of the bench's taint without parsing the rest, so that
 * observing 10 KB Nodes takes next to nothing from those who are measured. Made for the JSON that an API server writes:
 * no blanks, and of the fields called name or resourceVersion the object's own comes first.
 */
final class EventText {
    private static final byte[] NAME = bytes("\"name\":\"" + BenchFleet.PREFIX);
    private static final byte[] KEY = bytes("\"key\":\"" + BenchFleet.TAINT + "\"");
    private static final byte[] VALUE = bytes("\"value\":\"v");
    private static final byte[] VERSION = bytes("\"resourceVersion\":\"");
    private static final byte[] ERROR = bytes("{\"type\":\"ERROR\"");
    private static final byte[] BOOKMARK = bytes("{\"type\":\"BOOKMARK\"");
    private static final int NOT_FOUND = -1;

    private EventText() {}

    static boolean isError(byte[] text, int from, int end) {
        return startsWith(ERROR, text, from, end);
    }

    static boolean isBookmark(byte[] text, int from, int end) {
        return startsWith(BOOKMARK, text, from, end);
    }

    private static boolean startsWith(byte[] what, byte[] text, int from, int end) {
        return find(what, text, from, Math.min(end, from + what.length)) == from;
    }

    /** The number of an object of the fleet, or -1. */
    static int index(byte[] text, int from, int end) {
        int name = find(NAME, text, from, end);
        return name == NOT_FOUND ? NOT_FOUND : (int) number(text, name + NAME.length);
    }

    /** The object's resourceVersion, or 0 if it has none. */
    static long version(byte[] text, int from, int end) {
        int version = find(VERSION, text, from, end);
        return version == NOT_FOUND ? 0 : number(text, version + VERSION.length);
    }

    /** The number of the taint's value, or 0 if it is not there. */
    static int value(byte[] text, int from, int end) {
        int key = find(KEY, text, from, end);
        if (key == NOT_FOUND) {
            return 0;
        }
        int close = key;
        while (close < end && text[close] != '}') {
            close++;
        }
        int value = find(VALUE, text, key, close);
        return value == NOT_FOUND ? 0 : (int) number(text, value + VALUE.length);
    }

    private static long number(byte[] text, int from) {
        long number = 0;
        for (int i = from; isDigit(text[i]); i++) {
            number = number * 10 + text[i] - '0';
        }
        return number;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static int find(byte[] what, byte[] text, int from, int end) {
        for (int i = from; i <= end - what.length; i++) {
            if (text[i] == what[0] && matches(what, text, i)) {
                return i;
            }
        }
        return NOT_FOUND;
    }

    private static boolean matches(byte[] what, byte[] text, int at) {
        for (int i = 1; i < what.length; i++) {
            if (text[at + i] != what[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
