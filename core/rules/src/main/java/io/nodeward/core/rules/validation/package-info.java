/** What may be declared, what a Node accepts, and how it is said when something is neither. */
@NullMarked
package io.nodeward.core.rules.validation;

import org.jspecify.annotations.NullMarked;
