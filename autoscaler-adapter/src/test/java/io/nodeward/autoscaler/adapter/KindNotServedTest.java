package io.nodeward.autoscaler.adapter;

import io.nodeward.core.fakeapi.Options;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KindNotServedTest extends AdapterFixture {
    @Override
    Options served() {
        return Options.defaults().withKind(kind(DEPLOYMENTS, "MachineDeployment"));
    }

    @Test
    void a_kind_that_is_not_served_holds_up_no_other() {
        group(DEPLOYMENTS, "g", "a=1:NoSchedule");
        start();

        awaitText(DEPLOYMENTS, "g", "a=1:NoSchedule");
    }
}
