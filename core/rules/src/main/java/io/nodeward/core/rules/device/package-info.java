/** Which devices a DeviceTaintRule selects, and which taints devices have. */
@NullMarked
package io.nodeward.core.rules.device;

import org.jspecify.annotations.NullMarked;
