package io.nodeward.core.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What every server makes of what it is sent, whichever backend sends it. Promise: experimental.
 */
public abstract class ServerContract extends ServedContract {
    @Nested
    class Get extends GetTopic {}

    @Nested
    class Lists extends ListTopic {}

    @Nested
    class Watch extends WatchTopic {}

    @Nested
    class Expiry extends ExpiryTopic {}

    @Nested
    class MergePatch extends MergePatchTopic {}

    @Nested
    class TestedPatch extends TestedPatchTopic {}

    @Nested
    class Apply extends ApplyTopic {}

    @Nested
    class OtherPatches extends OtherPatchTopic {}

    @Nested
    class Budgets extends BudgetTopic {}

    @Nested
    class CreateAndDelete extends CreateAndDeleteTopic {}

    @Nested
    class Options extends OptionTopic {}
}
