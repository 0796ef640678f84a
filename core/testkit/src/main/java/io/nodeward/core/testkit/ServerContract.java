package io.nodeward.core.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What every server makes of what it is sent, whichever backend sends it. Promise: experimental.
 */
public abstract class ServerContract extends ServedContract {
    @Nested
    class Get extends GetTopic {
        Get() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Lists extends ListTopic {
        Lists() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Watch extends WatchTopic {
        Watch() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Expiry extends ExpiryTopic {
        Expiry() {
            super(ServerContract.this);
        }
    }

    @Nested
    class MergePatch extends MergePatchTopic {
        MergePatch() {
            super(ServerContract.this);
        }
    }

    @Nested
    class TestedPatch extends TestedPatchTopic {
        TestedPatch() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Apply extends ApplyTopic {
        Apply() {
            super(ServerContract.this);
        }
    }

    @Nested
    class OtherPatches extends OtherPatchTopic {
        OtherPatches() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Budgets extends BudgetTopic {
        Budgets() {
            super(ServerContract.this);
        }
    }

    @Nested
    class CreateAndDelete extends CreateAndDeleteTopic {
        CreateAndDelete() {
            super(ServerContract.this);
        }
    }

    @Nested
    class Options extends OptionTopic {
        Options() {
            super(ServerContract.this);
        }
    }
}
