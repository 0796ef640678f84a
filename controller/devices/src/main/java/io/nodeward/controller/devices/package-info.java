/** Decides which devices a DeviceTaintRule selects, and which pods its taint would evict. */
@NullMarked
package io.nodeward.controller.devices;

import org.jspecify.annotations.NullMarked;
