package io.nodeward.controller.machine.seeded;

import io.nodeward.core.runtime.controller.Controller;
import java.time.Duration;

/** Not made by the builder. */
abstract class HandMadeController implements Controller {
    @Override
    public boolean stop(Duration patience) {
        return true;
    }
}
