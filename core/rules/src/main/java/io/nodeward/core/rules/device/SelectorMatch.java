package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import java.util.List;
import java.util.Optional;

/** The answer whether the {@code deviceSelector} of a DeviceTaintRule selects a device. */
public final class SelectorMatch {
    private SelectorMatch() {}

    /** The facts about one device besides its name; asked only if the name fits. */
    public interface Facts {
        /** Returns whether the selectors of a class hold. */
        DeviceMatch ofClass(String className);

        /** Returns whether the driver of the device has published such a taint. */
        DeviceMatch of(PublishedTaint taint);

        /** Returns whether an expression holds. */
        DeviceMatch of(String expression);
    }

    /**
     * The first part of a selector that does not hold, or that nobody knows: it decides.
     *
     * @param field of the {@code deviceSelector}
     * @param wanted the name, taint or expression that the field has
     * @param match anything but {@link DeviceMatch#YES}
     */
    public record Obstacle(String field, String wanted, DeviceMatch match) {}

    /** Returns the answer of the selector, if there is one. The first thing that does not hold, or is not known, decides. */
    public static DeviceMatch of(Optional<DeviceTaintSelector> selector, DeviceName name, Facts facts) {
        return selector.map(present -> obstacle(present, name, facts).map(Obstacle::match).orElse(DeviceMatch.YES))
                .orElse(DeviceMatch.NO);
    }

    /** Returns why the selector does not select the device, or why that is not known; empty if it does. */
    public static Optional<Obstacle> obstacle(DeviceTaintSelector selector, DeviceName name, Facts facts) {
        return ofNames(selector, name)
                .or(() -> selector.publishedTaint()
                        .flatMap(taint -> unlessHolds("publishedTaint", taint.text(), facts.of(taint))))
                .or(() -> selector.deviceClassName()
                        .flatMap(className -> unlessHolds("deviceClassName", className, facts.ofClass(className))))
                .or(() -> obstacle(selector.expressions(), facts));
    }

    /** Returns whether the device has the names that the selector sets; the rest of it is not asked. */
    public static boolean fits(DeviceTaintSelector selector, DeviceName name) {
        return ofNames(selector, name).isEmpty();
    }

    private static Optional<Obstacle> ofNames(DeviceTaintSelector selector, DeviceName name) {
        return name("driver", selector.driver(), name.driver())
                .or(() -> name("pool", selector.pool(), name.pool()))
                .or(() -> name("device", selector.device(), name.device()));
    }

    /** Returns the answer of a class, all of whose expressions have to hold. A class that does not exist selects nothing. */
    public static DeviceMatch ofClass(String name, Optional<List<String>> expressions, Facts facts) {
        return expressions.map(all -> obstacle(all, facts).map(Obstacle::match).orElse(DeviceMatch.YES))
                .map(match -> match instanceof DeviceMatch.Unknown(String why)
                        ? new DeviceMatch.Unknown("DeviceClass " + name + ": " + why)
                        : match)
                .orElse(DeviceMatch.NO);
    }

    private static Optional<Obstacle> name(String field, Optional<String> wanted, String name) {
        return wanted.filter(text -> !text.equals(name)).map(text -> new Obstacle(field, text, DeviceMatch.NO));
    }

    /** Returns the answer of expressions, all of which have to hold: that of the first that does not. */
    public static Optional<Obstacle> obstacle(List<String> expressions, Facts facts) {
        Optional<Obstacle> found = Optional.empty();
        for (int i = 0; i < expressions.size() && found.isEmpty(); i++) {
            found = unlessHolds("selectors[" + i + "]", expressions.get(i), facts.of(expressions.get(i)));
        }
        return found;
    }

    private static Optional<Obstacle> unlessHolds(String field, String wanted, DeviceMatch match) {
        return match.equals(DeviceMatch.YES) ? Optional.empty() : Optional.of(new Obstacle(field, wanted, match));
    }
}
