package io.nodeward.api.meta;

/**
 * An owner reference.
 *
 * @param controller whether this owner is the managing controller; at most one is
 */
public record OwnerRef(String apiVersion, String kind, String name, String uid, boolean controller) {
    /** The group of its kind, whatever the version. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
