/**
 * The expressions by which devices are selected, evaluated as Kubernetes 1.36 and 1.37 evaluate those of device classes and
 * claims: the same functions, results, errors and costs. It refuses what Kubernetes refuses, at the same time: when it
 * compiles, or when it evaluates.
 *
 * <p>What is otherwise:
 * <ul>
 * <li>messages of the language itself are those of dev.cel, and so is the message of a run-time error of it;
 * <li>an expression has at most 250 levels, which a sum of 250 terms exceeds, and makes or reads no values beyond bounds
 * (see {@link io.nodeward.core.cel.CostMeter}), which Kubernetes has not; it refuses new expressions whose worst case is too expensive, which is not estimated here;
 * <li>messages of Protocol Buffers ({@code google.protobuf.Duration{}}) cannot be written;
 * <li>{@code <} and the like of a number that is none (NaN) are false, where Kubernetes has an error, and {@code max} and
 * {@code min} of values of several types are an error;
 * <li>a quantity has at most 10240 characters, and an exponent of at most 10000;
 * <li>a map that a macro builds has at most about 3,000 entries, as each entry copies the map; a list has no such limit;
 * <li>a regular expression that an expression computes has at most 65,536 characters;
 * <li>{@code findAll} searches 65,536 characters at most, where each match counts what follows the one before: so in a text
 * of more than 360 characters not every one may be a match;
 * <li>{@code includes} takes lists of up to 48 values as in 1.36, which is as many as a device may have; 1.37 takes longer ones.
 * </ul>
 */
@NullMarked
package io.nodeward.core.cel;

import org.jspecify.annotations.NullMarked;
