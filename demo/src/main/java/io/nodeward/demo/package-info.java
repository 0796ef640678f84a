/** The guided tour: a small fleet on a FakeApiServer, the real controller, and a table that shows both live. */
@NullMarked
package io.nodeward.demo;

import org.jspecify.annotations.NullMarked;
