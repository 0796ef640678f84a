package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import java.time.Instant;

/**
 * A DeviceTaintRule: one of Nodeward, or one of Kubernetes, which has a kind of the same name.
 *
 * @param group in which the kind is
 */
record Rule(String group, String name, DeviceTaintRule spec) {
    static final String KUBERNETES = "resource.k8s.io";

    /** Whether it is for Kubernetes to evict pods because of it. */
    boolean isOfKubernetes() {
        return group.equals(KUBERNETES);
    }

    /** That it brings. */
    DeviceTaint taint() {
        RuleTaint taint = spec.taint();
        return new DeviceTaint(taint.key(), taint.value(), taint.effect(), taint.timeAdded().orElse(Instant.EPOCH));
    }

    /** As kubectl takes it. */
    String resource() {
        return "devicetaintrule." + group + "/" + name;
    }

    /** The kind and the name; the group of Kubernetes tells its kind apart. */
    @Override
    public String toString() {
        return "DeviceTaintRule" + (isOfKubernetes() ? "." + group : "") + " " + name;
    }
}
