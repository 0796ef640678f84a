/** The kind DeviceTaintRule, a taint for all devices that it selects, and partial views of what it reads of Kubernetes. */
@NullMarked
package io.nodeward.api.device;

import org.jspecify.annotations.NullMarked;
