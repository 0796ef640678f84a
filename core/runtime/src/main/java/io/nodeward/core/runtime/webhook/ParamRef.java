package io.nodeward.core.runtime.webhook;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parameters that a binding gives to its policy: the policy is evaluated once for each object.
 *
 * @param name of the only object; or else {@code selector}
 * @param selector a LabelSelector
 * @param namespace of the objects; empty for cluster-scoped ones, and for those in the namespace of the request
 * @param notFound what becomes of a request for which there is no object
 */
public record ParamRef(
        Optional<String> name, Optional<Map<String, Object>> selector, String namespace, NotFound notFound) {
    /** In the words of Kubernetes. */
    public enum NotFound {
        Allow, Deny
    }

    public ParamRef {
        if (name.isPresent() == selector.isPresent()) {
            throw new IllegalArgumentException("a paramRef has either a name or a selector");
        }
    }

    public static ParamRef named(String name, NotFound notFound) {
        return new ParamRef(Optional.of(name), Optional.empty(), "", notFound);
    }

    /** @param selector a LabelSelector; an empty one selects all objects */
    public static ParamRef selected(Map<String, Object> selector, NotFound notFound) {
        return new ParamRef(Optional.empty(), Optional.of(selector), "", notFound);
    }

    public ParamRef inNamespace(String of) {
        return new ParamRef(name, selector, of, notFound);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new TreeMap<>();
        name.ifPresent(text -> fields.put("name", text));
        selector.ifPresent(labels -> fields.put("selector", labels));
        if (!namespace.isEmpty()) {
            fields.put("namespace", namespace);
        }
        fields.put("parameterNotFoundAction", notFound.name());
        return fields;
    }
}
