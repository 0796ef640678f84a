package io.nodeward.cli.device;

import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.Optional;

/**
 * What a rule says about a device.
 *
 * @param obstacle why the rule does not select it, or why nobody knows; empty if it does
 */
record Answer(Rule rule, Optional<Obstacle> obstacle) {
    boolean isSelected() {
        return obstacle.isEmpty();
    }

    boolean isUnknown() {
        return obstacle.filter(found -> found.match() instanceof DeviceMatch.Unknown).isPresent();
    }
}
