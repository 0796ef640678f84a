package io.nodeward.controller.app;

import com.google.inject.Module;

/**
 * A controller that {@code --controllers} does not list: the program that starts Nodeward adds it, and it always runs.
 *
 * @param config its flags, as picocli's {@code @Option} fields, which are set before the module is installed
 * @param module adds it to the set of {@link io.nodeward.core.runtime.controller.Controller}s
 */
public record OutOfTreeController(Object config, Module module) {}
