/** The kit that every controller is made of: a builder, a loop over a queue, decisions, and the changes that it sends. */
@NullMarked
package io.nodeward.core.runtime.controller;

import org.jspecify.annotations.NullMarked;
