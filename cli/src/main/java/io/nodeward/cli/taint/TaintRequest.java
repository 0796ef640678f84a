package io.nodeward.cli.taint;

import io.nodeward.core.rules.command.Lenience;
import java.time.Duration;

/**
 * What is asked of a command beside kubectl's own words.
 *
 * @param selector as given
 * @param managedFields whether objects are printed with theirs
 * @param preview whether to say what would change, and write nothing
 * @param awaits whether to wait for what comes of it
 * @param timeout of that; zero for none
 */
record TaintRequest(String selector, String fieldManager, boolean managedFields, Lenience lenience, boolean preview,
        boolean awaits, Duration timeout) {}
