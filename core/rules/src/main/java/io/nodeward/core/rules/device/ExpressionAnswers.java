package io.nodeward.core.rules.device;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What expressions have answered lately, by the numbers of devices: one that several rules have, or their class, is asked
 * once of a device. Not safe for several threads.
 */
final class ExpressionAnswers {
    /** Expressions. The one that was asked last is kept longest. */
    private static final int MOST = 1000;

    private final Map<String, Answers> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answers> eldest) {
            return size() > MOST;
        }
    };

    private record Answers(BitSet asked, MatchBits bits) {}

    /** Without the reason, if it is unknown and has been asked before. */
    DeviceMatch of(String expression, int device, Supplier<DeviceMatch> question) {
        Answers answers = known.computeIfAbsent(expression, any -> new Answers(new BitSet(0), new MatchBits()));
        if (!answers.asked().get(device)) {
            answers.bits().set(device, question.get());
            answers.asked().set(device);
        }
        return answers.bits().get(device);
    }

    /** The device is another one. */
    void forget(int device) {
        known.values().forEach(answers -> answers.asked().clear(device));
    }

    void clear() {
        known.clear();
    }
}
