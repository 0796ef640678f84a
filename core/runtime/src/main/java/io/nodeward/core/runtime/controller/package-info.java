/** The loop that every controller runs in: it takes keys from a queue, asks for a decision, and executes it. */
@NullMarked
package io.nodeward.core.runtime.controller;

import org.jspecify.annotations.NullMarked;
