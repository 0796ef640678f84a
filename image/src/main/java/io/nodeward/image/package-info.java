/** Builds the OCI image of the controller, without a container engine and without a registry. */
@NullMarked
package io.nodeward.image;

import org.jspecify.annotations.NullMarked;
