package io.nodeward.core.testkit;

import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;

/**
 * What every backend does, whatever the server: how it connects, sends, reads, gives up and keeps secrets. The kit's own
 * faulty servers do what no real server does on request: cut an answer, or end without a word. A client that its owner
 * made and handed to a backend keeps this contract too. Promise: experimental.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class TransportContract {
    /** The backend under test. */
    protected abstract Backend backend();

    @Nested
    class Failures extends FailureTopic {
        Failures() {
            super(TransportContract.this);
        }
    }

    @Nested
    class SentOnce extends SentOnceTopic {
        SentOnce() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Slow extends SlowTopic {
        Slow() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Gzip extends GzipTopic {
        Gzip() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Large extends LargeTopic {
        Large() {
            super(TransportContract.this);
        }
    }

    @Nested
    class WatchStreams extends WatchStreamTopic {
        WatchStreams() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Cancel extends CancelTopic {
        Cancel() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Tls extends TlsTopic {
        Tls() {
            super(TransportContract.this);
        }
    }

    @Nested
    class ThroughAProxy extends ProxyTopic {
        ThroughAProxy() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Credentials extends CredentialTopic {
        Credentials() {
            super(TransportContract.this);
        }
    }

    @Nested
    class OwnFile extends OwnFileTopic {
        OwnFile() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Refused extends RefusedTopic {
        Refused() {
            super(TransportContract.this);
        }
    }

    @Nested
    class Secrecy extends SecrecyTopic {
        Secrecy() {
            super(TransportContract.this);
        }
    }
}
