/** Which labels and annotations of an owner belong on its Node. */
@NullMarked
package io.nodeward.core.rules.label;

import org.jspecify.annotations.NullMarked;
