package io.nodeward.core.rules.validation;

import java.util.List;

/**
 * A place in an object, or one in each element of a list.
 *
 * @param path names of fields from the root: to the place if {@code key} is empty, else to the list
 * @param key names an element, so that it is found again in another version of the object
 * @param below names of fields from the element to the place
 */
public record DeclaringPlace(List<String> path, String key, List<String> below) {
    public DeclaringPlace {
        path = List.copyOf(path);
        below = List.copyOf(below);
    }

    /** @param text as {@code spec.taints} or {@code spec.workers[name].taints} */
    static DeclaringPlace parse(String text) {
        int open = text.indexOf('[');
        if (open < 0) {
            return new DeclaringPlace(List.of(text.split("\\.")), "", List.of());
        }
        int close = text.indexOf(']');
        return new DeclaringPlace(List.of(text.substring(0, open).split("\\.")), text.substring(open + 1, close),
                List.of(text.substring(close + 2).split("\\.")));
    }

    /** Whether it is in each element of a list. */
    public boolean isInList() {
        return !key.isEmpty();
    }

    /**
     * As a server names it.
     *
     * @param index of the element; ignored if it is in none
     */
    public String at(int index) {
        return isInList()
                ? String.join(".", path) + "[" + index + "]." + String.join(".", below)
                : String.join(".", path);
    }
}
