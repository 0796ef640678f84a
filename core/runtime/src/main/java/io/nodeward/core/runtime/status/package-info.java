/** What controllers report about objects: conditions, Events and log lines, each once. */
@NullMarked
package io.nodeward.core.runtime.status;

import org.jspecify.annotations.NullMarked;
