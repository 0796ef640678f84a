/** What backends share below a transport: who asks, whom to trust, and which connections a call goes over. */
@NullMarked
package io.nodeward.core.spi.connect;

import org.jspecify.annotations.NullMarked;
