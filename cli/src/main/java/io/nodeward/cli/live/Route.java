package io.nodeward.cli.live;

/**
 * What led to an API server, to be named where it leads to the wrong one, or no further.
 *
 * @param name {@code context prod} or {@code Secret fleet/prod-kubeconfig}
 * @param server its URL; empty if that is not said
 * @param instead a sentence about another way; of a context empty, as --context names one
 */
record Route(String name, String server, String instead) {
    Route {
        server = server.replaceFirst("//[^/@]*@", "//"); // a password has no place in an error
    }

    /** What to do with credentials that are not taken. */
    String renewed() {
        return "The credentials of " + name + " are not accepted (any more): "
                + (instead.isEmpty() ? "log in again, or name another with --context." : "they may have been renewed.")
                + alternative();
    }

    String permitted() {
        return instead.isEmpty()
                ? "You are logged in by " + name
                        + ", which is not allowed this; 'kubectl auth can-i --list' says what is."
                : "The user of " + name + " is not allowed this." + alternative();
    }

    String meant() {
        return instead.isEmpty()
                ? "Is it running, and is " + name + " the one that is meant (--context)?"
                : "It is where " + name + " leads; is it running?" + alternative();
    }

    String serving() {
        return "What " + name + " leads to does not have this"
                + (instead.isEmpty() ? "; is it the one that is meant (--context)?" : "." + alternative());
    }

    private String alternative() {
        return instead.isEmpty() ? "" : " " + instead;
    }
}
