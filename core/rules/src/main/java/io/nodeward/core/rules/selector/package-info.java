/** Which objects somebody means, by their labels. */
@NullMarked
package io.nodeward.core.rules.selector;

import org.jspecify.annotations.NullMarked;
