package io.nodeward.core.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What comes of a backend together with a server: each verb's way there and back, streams that share connections, lines
 * that are cut, rights that are lost, and what is left when all is closed. Promise: experimental.
 */
public abstract class ConnectionContract extends ServedContract {
    @Nested
    class Verbs extends VerbTopic {
        Verbs() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class Rights extends RightsTopic {
        Rights() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class LongLists extends LongListTopic {
        LongLists() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class WatchOrder extends WatchOrderTopic {
        WatchOrder() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class CutWatches extends CutWatchTopic {
        CutWatches() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class Readers extends ReaderTopic {
        Readers() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class ManyAtOnce extends ManyAtOnceTopic {
        ManyAtOnce() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class Connections extends ConnectionTopic {
        Connections() {
            super(ConnectionContract.this);
        }
    }

    @Nested
    class Close extends CloseTopic {
        Close() {
            super(ConnectionContract.this);
        }
    }
}
