/**
 * Server-side apply as kube-apiserver does it: who owns which field of an object, and what the object is once a manager has
 * applied another to it.
 */
@NullMarked
package io.nodeward.core.apply;

import org.jspecify.annotations.NullMarked;
