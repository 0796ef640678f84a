package io.nodeward.core.testkit;

import io.nodeward.core.spi.Backend;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;

/**
 * What every backend does, on every server. Extend it, name a backend and a server, and run it as a JUnit test. What a
 * server cannot be told to do (cut an answer, die without a word) is done by a faulty one of the kit's own, so that all
 * topics run everywhere. Promise: experimental.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class BackendContract {
    /** The backend under test. */
    protected abstract Backend backend();

    /**
     * The server to test it on. It may hold other objects; the contract's own Nodes and Secrets have names that start
     * with {@code contract-}, and are deleted again.
     */
    protected abstract ContractServer server();

    @Nested
    class Get extends GetTopic {
        Get() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Lists extends ListTopic {
        Lists() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Large extends LargeTopic {
        Large() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Watch extends WatchTopic {
        Watch() {
            super(BackendContract.this);
        }
    }

    @Nested
    class WatchStreams extends WatchStreamTopic {
        WatchStreams() {
            super(BackendContract.this);
        }
    }

    @Nested
    class WatchOrder extends WatchOrderTopic {
        WatchOrder() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Expiry extends ExpiryTopic {
        Expiry() {
            super(BackendContract.this);
        }
    }

    @Nested
    class MergePatch extends MergePatchTopic {
        MergePatch() {
            super(BackendContract.this);
        }
    }

    @Nested
    class TestedPatch extends TestedPatchTopic {
        TestedPatch() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Apply extends ApplyTopic {
        Apply() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Rights extends RightsTopic {
        Rights() {
            super(BackendContract.this);
        }
    }

    @Nested
    class OtherPatches extends OtherPatchTopic {
        OtherPatches() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Budgets extends BudgetTopic {
        Budgets() {
            super(BackendContract.this);
        }
    }

    @Nested
    class CreateAndDelete extends CreateAndDeleteTopic {
        CreateAndDelete() {
            super(BackendContract.this);
        }
    }

    @Nested
    class ManyAtOnce extends ManyAtOnceTopic {
        ManyAtOnce() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Failures extends FailureTopic {
        Failures() {
            super(BackendContract.this);
        }
    }

    @Nested
    class SentOnce extends SentOnceTopic {
        SentOnce() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Connections extends ConnectionTopic {
        Connections() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Credentials extends CredentialTopic {
        Credentials() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Secrecy extends SecrecyTopic {
        Secrecy() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Tls extends TlsTopic {
        Tls() {
            super(BackendContract.this);
        }
    }

    @Nested
    class ThroughAProxy extends ProxyTopic {
        ThroughAProxy() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Refused extends RefusedTopic {
        Refused() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Gzip extends GzipTopic {
        Gzip() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Slow extends SlowTopic {
        Slow() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Cancel extends CancelTopic {
        Cancel() {
            super(BackendContract.this);
        }
    }

    @Nested
    class OwnFile extends OwnFileTopic {
        OwnFile() {
            super(BackendContract.this);
        }
    }

    @Nested
    class Close extends CloseTopic {
        Close() {
            super(BackendContract.this);
        }
    }
}
