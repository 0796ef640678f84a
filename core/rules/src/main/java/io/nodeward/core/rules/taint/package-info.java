/** Which of an owner's taints belong on its Node, and which of the Node's taints are owned. */
@NullMarked
package io.nodeward.core.rules.taint;

import org.jspecify.annotations.NullMarked;
