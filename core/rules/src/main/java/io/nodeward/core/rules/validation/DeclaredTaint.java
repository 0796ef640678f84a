package io.nodeward.core.rules.validation;

/**
 * One item of a declared list as it arrived. Fields the schema does not know are dropped by the server, so not here.
 */
public record DeclaredTaint(Given<String> key, Given<String> value, Given<String> effect, Given<String> propagation) {}
