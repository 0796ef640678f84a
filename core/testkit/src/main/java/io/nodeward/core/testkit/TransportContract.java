package io.nodeward.core.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What every backend does, whatever the server: how it connects, sends, reads, gives up and keeps secrets. The kit's own
 * faulty servers do what no real server does on request: cut an answer, or end without a word. A client that its owner
 * made and handed to a backend keeps this contract too. Promise: experimental.
 */
public abstract class TransportContract extends Contract {
    @Nested
    class Failures extends FailureTopic {}

    @Nested
    class SentOnce extends SentOnceTopic {}

    @Nested
    class Slow extends SlowTopic {}

    @Nested
    class Gzip extends GzipTopic {}

    @Nested
    class Large extends LargeTopic {}

    @Nested
    class WatchStreams extends WatchStreamTopic {}

    @Nested
    class Cancel extends CancelTopic {}

    @Nested
    class Tls extends TlsTopic {}

    @Nested
    class ThroughAProxy extends ProxyTopic {}

    @Nested
    class Credentials extends CredentialTopic {}

    @Nested
    class OwnFile extends OwnFileTopic {}

    @Nested
    class Refused extends RefusedTopic {}

    @Nested
    class Secrecy extends SecrecyTopic {}
}
