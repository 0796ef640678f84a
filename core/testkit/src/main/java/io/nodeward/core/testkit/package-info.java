/** The contract every backend and every server passes, as main code for backends of other people. Promise: experimental. */
@NullMarked
package io.nodeward.core.testkit;

import org.jspecify.annotations.NullMarked;
