package io.nodeward.core.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What comes of a backend together with a server: each verb's way there and back, streams that share connections, lines
 * that are cut, rights that are lost, and what is left when all is closed. Promise: experimental.
 */
public abstract class ConnectionContract extends ServedContract {
    @Nested
    class Verbs extends VerbTopic {}

    @Nested
    class Rights extends RightsTopic {}

    @Nested
    class LongLists extends LongListTopic {}

    @Nested
    class WatchOrder extends WatchOrderTopic {}

    @Nested
    class CutWatches extends CutWatchTopic {}

    @Nested
    class Readers extends ReaderTopic {}

    @Nested
    class ManyAtOnce extends ManyAtOnceTopic {}

    @Nested
    class Connections extends ConnectionTopic {}

    @Nested
    class Close extends CloseTopic {}
}
