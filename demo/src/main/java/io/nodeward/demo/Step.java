package io.nodeward.demo;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One edit of the tour and what must come of it.
 *
 * @param edit what is edited, up to two lines
 * @param result what to see when it has come true, up to two lines
 * @param machine whose row tells the story; empty for all
 * @param writes requests that the controller may need, and must
 */
record Step(
        String title, List<String> edit, List<String> result, String machine, Runnable action, int writes,
        BooleanSupplier isTrue) {}
