package io.nodeward.cli.explain;

import io.nodeward.cli.text.Style;
import io.nodeward.core.rules.origin.TaintOrigin;

/** What a Node's taint is, in the light of what is declared. */
enum Marks {
    DECLARED("declared", Style.GOOD),
    /** It is not as it is declared, and the next write changes it. */
    CHANGING("changes", Style.DOUBTFUL),
    DEDICATED_NODES("managed by DedicatedNodes", Style.GOOD),
    /** Somebody else's. */
    UNMANAGED("unmanaged", Style.PLAIN);

    final String word;
    final Style style;

    Marks(String word, Style style) {
        this.word = word;
        this.style = style;
    }

    static Marks of(TaintOrigin origin) {
        return switch (origin.status()) {
            case ALWAYS, ONCE -> DECLARED;
            case OTHER_VALUE, NO_MORE, HELD -> CHANGING;
            case DEDICATED_NODES -> DEDICATED_NODES;
            case UNMANAGED, UNSEEN -> UNMANAGED;
        };
    }
}
