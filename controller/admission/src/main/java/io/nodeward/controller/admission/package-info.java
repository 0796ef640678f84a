/** The admission controller: answers an API server that asks whether an object may be stored. */
@NullMarked
package io.nodeward.controller.admission;

import org.jspecify.annotations.NullMarked;
