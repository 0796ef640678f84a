package io.nodeward.api.admission;

/**
 * What a webhook is asked.
 *
 * @param uid to be sent back
 * @param operation {@code CREATE}, {@code UPDATE} and others
 * @param object {@code metadata} without managedFields, and {@code spec}
 * @param before likewise, as it is stored; absent in an object that is created
 */
public record AdmissionRequest(String uid, String group, String kind, String operation, Tree object, Tree before) {}
