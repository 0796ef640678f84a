/** The kind DeviceTaintRule: a taint for all devices that it selects. */
@NullMarked
package io.nodeward.api.device;

import org.jspecify.annotations.NullMarked;
