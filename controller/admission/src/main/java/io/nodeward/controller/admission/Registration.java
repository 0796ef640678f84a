package io.nodeward.controller.admission;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.Resource;
import java.util.Map;
import java.util.Set;

/** What API servers are told, so that they ask or judge. */
interface Registration {
    /** Puts it in force. */
    Result ensure();

    /** All that is needed for it. */
    Map<Resource, Set<ObjectKey>> needed();
}
