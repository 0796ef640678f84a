package io.nodeward.cli.device;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The pods of the cluster, which are asked for one by one: few use one device.
 *
 * @param find returns a pod, if it is there and may be read
 * @param gap returns why a pod that was asked for may be there all the same, if it may
 */
record Pods(Function<ObjectKey, Optional<Pod>> find, Supplier<Optional<String>> gap) {}
