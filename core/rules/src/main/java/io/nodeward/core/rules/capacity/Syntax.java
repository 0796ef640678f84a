package io.nodeward.core.rules.capacity;

import java.util.Optional;

/** How the autoscaler reads the entries of one annotation. */
interface Syntax {
    /** Empty for what the autoscaler skips. */
    Optional<Entry> read(String text);

    /** The one text for an entry's id and value, whichever way it is written; always with an equals sign. */
    String canonical(Entry entry);

    /** Whether Nodeward writes such entries at all. */
    boolean isWritable(Entry entry);

    /** What an entry has to look like, for messages. */
    String form();
}
