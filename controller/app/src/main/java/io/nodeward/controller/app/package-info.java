/** Puts the controller together: flags, the list of modules, health and metrics. The only module that knows all others. */
@NullMarked
package io.nodeward.controller.app;

import org.jspecify.annotations.NullMarked;
