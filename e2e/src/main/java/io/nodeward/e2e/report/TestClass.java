package io.nodeward.e2e.report;

/**
 * One test class as it was run.
 *
 * @param module path of its folder
 * @param name with the name of the execution behind it, if the class ran in one of several
 */
record TestClass(String module, String name, int tests, double seconds) {}
