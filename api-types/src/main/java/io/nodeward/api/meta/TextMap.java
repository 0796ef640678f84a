package io.nodeward.api.meta;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Labels or annotations, unmodifiable and in the order of their keys. Thousands of objects of one kind have the same
 * keys: they share them, so that a cached object holds little more than its values.
 */
public final class TextMap extends AbstractMap<String, String> {
    private static final int SLOTS = 1 << 9;
    /** In all keys of an object. More are not remembered, which is for ever: at most 4 MB by users who may label objects. */
    private static final int MOST_SHARED_CHARACTERS = 4096;
    private static final AtomicReferenceArray<String[]> SHARED = new AtomicReferenceArray<>(SLOTS);

    private static final TextMap EMPTY = new TextMap(new String[0], new String[0]);

    private final String[] keys;
    private final String[] values;

    private TextMap(String[] keys, String[] values) {
        this.keys = keys;
        this.values = values;
    }

    /** The same texts; {@code map} itself if it is one of these. */
    public static TextMap copyOf(Map<String, String> map) {
        if (map instanceof TextMap texts) {
            return texts;
        }
        if (map.isEmpty()) {
            return EMPTY;
        }
        Builder builder = new Builder();
        map.forEach(builder::put);
        return builder.build();
    }

    /** Takes texts one by one, best in the order of their keys. */
    public static final class Builder {
        private String[] keys = new String[20];
        private String[] values = new String[20];
        private int size;
        private boolean sorted = true;

        /** Takes one more; of two with the same key, the later is kept. */
        public void put(String key, String value) {
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            sorted = sorted && (size == 0 || keys[size - 1].compareTo(key) < 0);
            keys[size] = Objects.requireNonNull(key);
            values[size++] = Objects.requireNonNull(value);
        }

        /** How many were put. */
        public int size() {
            return size;
        }

        /** All that were put. */
        public TextMap build() {
            return size == 0 ? EMPTY : sorted ? ofSorted() : ofUnsorted();
        }

        private TextMap ofSorted() {
            return new TextMap(shared(Arrays.copyOf(keys, size)), Arrays.copyOf(values, size));
        }

        private TextMap ofUnsorted() {
            Map<String, String> map = new TreeMap<>();
            for (int i = 0; i < size; i++) {
                map.put(keys[i], values[i]);
            }
            return new TextMap(
                    shared(map.keySet().toArray(String[]::new)), map.values().toArray(String[]::new));
        }
    }

    private static String[] shared(String[] keys) {
        int hash = Arrays.hashCode(keys);
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        String[] known = SHARED.getAcquire(slot);
        if (known != null && Arrays.equals(known, keys)) {
            return known;
        }
        int characters = 0;
        for (String key : keys) {
            characters += key.length();
        }
        if (characters <= MOST_SHARED_CHARACTERS) {
            SHARED.setRelease(slot, keys);
        }
        return keys;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public @Nullable String get(Object key) {
        int place = Arrays.binarySearch(keys, key);
        return place < 0 ? null : values[place];
    }

    @Override
    public boolean containsKey(Object key) {
        return Arrays.binarySearch(keys, key) >= 0;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super String> action) {
        for (int i = 0; i < keys.length; i++) {
            action.accept(keys[i], values[i]);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextMap texts
                ? Arrays.equals(keys, texts.keys) && Arrays.equals(values, texts.values)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < keys.length; i++) {
            hash += keys[i].hashCode() ^ values[i].hashCode();
        }
        return hash;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return keys.length;
            }

            @Override
            public Iterator<Entry<String, String>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Entry<String, String>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < keys.length;
        }

        @Override
        public Entry<String, String> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return Map.entry(keys[next], values[next++]);
        }
    }
}
