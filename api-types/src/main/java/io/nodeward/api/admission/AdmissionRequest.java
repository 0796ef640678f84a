package io.nodeward.api.admission;

/**
 * What a webhook is asked.
 *
 * @param uid to be sent back
 * @param operation {@code CREATE}, {@code UPDATE} and others
 * @param object the parts of it that were to be read
 * @param before likewise, as it is stored; absent in an object that is created
 */
public record AdmissionRequest(String uid, String group, String kind, String operation, Tree object, Tree before) {}
