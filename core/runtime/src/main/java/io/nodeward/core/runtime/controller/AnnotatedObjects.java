package io.nodeward.core.runtime.controller;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.function.BinaryOperator;

/**
 * Objects of one kind whose annotations a controller changes, and how their cache comes to hold a change before the watch
 * brings it back: no plan is made from what was there before an own write.
 *
 * @param <T> the projected object
 * @param projection also reads what a server replies, which is metadata alone
 * @param withMetadataOf an object with the metadata of another, which was read from the reply
 */
public record AnnotatedObjects<T extends KubernetesObject>(
        ObjectCache<T> cache, Projection<T> projection, BinaryOperator<T> withMetadataOf) {}
