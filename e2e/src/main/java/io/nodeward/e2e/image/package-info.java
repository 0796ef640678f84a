/** The controller's image, as it is run without a container engine. */
@NullMarked
package io.nodeward.e2e.image;

import org.jspecify.annotations.NullMarked;
