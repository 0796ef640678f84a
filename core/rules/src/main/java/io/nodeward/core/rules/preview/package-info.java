/** What a status says of what would come. */
@NullMarked
package io.nodeward.core.rules.preview;

import org.jspecify.annotations.NullMarked;
