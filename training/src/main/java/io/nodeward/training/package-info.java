/** Gives a controller that records an AOT cache the work it is made for. */
@NullMarked
package io.nodeward.training;

import org.jspecify.annotations.NullMarked;
