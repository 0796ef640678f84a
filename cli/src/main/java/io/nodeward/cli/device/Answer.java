package io.nodeward.cli.device;

import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.Optional;

/**
 * The answer of a rule about a device.
 *
 * @param obstacle why the rule does not select it, or why that is not known; empty if it does
 * @param because that, or what selects it, in words
 */
record Answer(Rule rule, Optional<Obstacle> obstacle, String because) {
    boolean isSelected() {
        return obstacle.isEmpty();
    }

    boolean isUnknown() {
        return obstacle.filter(found -> found.match() instanceof DeviceMatch.Unknown).isPresent();
    }
}
