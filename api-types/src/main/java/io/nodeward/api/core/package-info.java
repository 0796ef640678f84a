/** Secret, ConfigMap and Event, as far as Nodeward reads or writes them. */
@NullMarked
package io.nodeward.api.core;

import org.jspecify.annotations.NullMarked;
