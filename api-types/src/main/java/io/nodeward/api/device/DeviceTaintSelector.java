package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Optional;

/**
 * The {@code deviceSelector} of a DeviceTaintRule: all that it says has to hold, so that an empty one selects every device. A
 * rule without one selects none.
 *
 * @param deviceClassName the class whose selectors have to hold
 * @param driver of the device
 * @param pool of the device
 * @param device its name in the pool
 * @param expressions all of which have to hold
 * @param publishedTaint a taint that the driver of the device has published
 */
public record DeviceTaintSelector(
        Optional<String> deviceClassName, Optional<String> driver, Optional<String> pool, Optional<String> device,
        List<String> expressions, Optional<PublishedTaint> publishedTaint) {
    private static final DeviceTaintSelector ALL = new DeviceTaintSelector(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
    /** No device has this name, no class, and no expression is empty. */
    private static final String NOTHING = "";

    /** A copy of what is given. */
    public DeviceTaintSelector {
        expressions = List.copyOf(expressions);
    }

    /** Makes one that asks for no taint. */
    public DeviceTaintSelector(
            Optional<String> deviceClassName, Optional<String> driver, Optional<String> pool, Optional<String> device,
            List<String> expressions) {
        this(deviceClassName, driver, pool, device, expressions, Optional.empty());
    }

    /** What is of another type counts as a part that holds for no device. Left out, it would select more devices. */
    static Optional<DeviceTaintSelector> of(Tree selector) {
        return selector instanceof Tree.Fields
                ? Optional.of(new DeviceTaintSelector(text(selector.at("deviceClassName")),
                        text(selector.at("driver")), text(selector.at("pool")), text(selector.at("device")),
                        expressions(selector.at("selectors")), PublishedTaint.of(selector.at("publishedTaint"))))
                : Optional.empty();
    }

    /** Returns the device that it names; a part that it does not name is empty. */
    public DeviceName name() {
        return new DeviceName(driver.orElse(""), pool.orElse(""), device.orElse(""));
    }

    /** Returns whether it selects by names alone, whatever is published of a device. */
    public boolean isByNames() {
        return deviceClassName.isEmpty() && expressions.isEmpty() && publishedTaint.isEmpty();
    }

    /** Returns whether it selects every device. */
    public boolean isEmpty() {
        return equals(ALL);
    }

    /** Returns whether it selects every device, or every device of a driver. */
    public boolean isWhole() {
        return new DeviceTaintSelector(deviceClassName, Optional.empty(), pool, device, expressions, publishedTaint)
                .isEmpty();
    }

    static Optional<String> text(Tree field) {
        return field instanceof Tree.Absent ? Optional.empty() : Optional.of(field.string());
    }

    /** Of {@code selectors}, as classes and claims have them too. */
    static List<String> expressions(Tree selectors) {
        return switch (selectors) {
            case Tree.Absent absent -> List.of();
            case Tree.Items(List<Tree> items) ->
                    items.stream().map(selector -> selector.at("cel").at("expression").string()).toList();
            default -> List.of(NOTHING);
        };
    }
}
