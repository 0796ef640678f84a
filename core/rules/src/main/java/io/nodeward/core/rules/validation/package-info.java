/** What may be declared, what a Node accepts, and the messages where it is neither. */
@NullMarked
package io.nodeward.core.rules.validation;

import org.jspecify.annotations.NullMarked;
