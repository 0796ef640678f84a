/** Builds what is released: the OCI image of the controller, and the archives of the command. */
@NullMarked
package io.nodeward.image;

import org.jspecify.annotations.NullMarked;
