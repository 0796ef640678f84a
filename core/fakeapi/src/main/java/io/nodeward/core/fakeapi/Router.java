package io.nodeward.core.fakeapi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** From paths to what serves them. */
final class Router {
    private final Registry registry;
    private final Discovery discovery;
    private final Verbs verbs;
    private final Watches watches;
    private final Evictions evictions;

    Router(Registry registry, Discovery discovery, Verbs verbs, Watches watches, Evictions evictions) {
        this.registry = registry;
        this.discovery = discovery;
        this.verbs = verbs;
        this.watches = watches;
        this.evictions = evictions;
    }

    void serve(Exchange exchange) throws IOException {
        List<String> path = exchange.path();
        int root = path.isEmpty() ? 0 : path.getFirst().equals("api") ? 2 : path.getFirst().equals("apis") ? 3 : 0;
        if (root > 0 && path.size() > root) {
            String group = root == 2 ? "" : path.get(1);
            Optional<Verbs.Target> target = target(group, path.get(root - 1), path.subList(root, path.size()));
            if (target.isPresent()) {
                serve(exchange, target.get());
                return;
            }
            if (registry.isBuiltIn(group, path.get(root - 1))) {
                throw Refusal.unknownResource();
            }
        } else if (path.size() == 1 && List.of("readyz", "livez", "healthz").contains(path.getFirst())) {
            exchange.text(200, "ok");
            return;
        } else if (!path.isEmpty() && discovery.document(path).isPresent()) {
            exchange.answer(200, discovery.document(path).get());
            return;
        }
        exchange.text(404, "404 page not found\n");
    }

    private Optional<Verbs.Target> target(String group, String version, List<String> rest) {
        boolean inNamespace = rest.size() > 2 && rest.getFirst().equals("namespaces")
                && !(rest.size() == 3 && rest.getLast().equals("status"));
        String namespace = inNamespace ? rest.get(1) : "";
        List<String> own = inNamespace ? rest.subList(2, rest.size()) : rest;
        String name = own.size() > 1 ? own.get(1) : "";
        String subresource = own.size() > 2 ? own.get(2) : "";
        return registry.served(group, version, own.getFirst())
                .filter(s -> own.size() <= 3)
                .filter(s -> s.kind().namespaced() ? inNamespace || own.size() == 1 : !inNamespace)
                .filter(s -> s.kind().hasSubresource(subresource))
                .map(s -> new Verbs.Target(s, version, namespace, name, subresource));
    }

    private void serve(Exchange exchange, Verbs.Target target) throws IOException {
        String method = exchange.request().method();
        if (target.name().isEmpty()) {
            serveCollection(exchange, target, method);
            return;
        }
        if (target.subresource().equals(Evictions.SUBRESOURCE)) {
            requireMethod(method.equals("POST"));
            evictions.evict(exchange, target);
            return;
        }
        switch (method) {
            case "GET" -> verbs.get(exchange, target);
            case "PUT" -> verbs.update(exchange, target);
            case "PATCH" -> verbs.patch(exchange, target);
            case "DELETE" -> {
                requireMethod(target.subresource().isEmpty());
                verbs.delete(exchange, target);
            }
            default -> throw Refusal.methodNotAllowed();
        }
    }

    private void serveCollection(Exchange exchange, Verbs.Target target, String method) throws IOException {
        boolean allNamespaces = target.kind().namespaced() && target.namespace().isEmpty();
        switch (method) {
            case "GET" -> {
                if (exchange.flag("watch")) {
                    View view = View.accepted(exchange, target.kind(), target.version());
                    watches.serve(exchange, target.shelf(), target.namespace(), view);
                } else {
                    verbs.list(exchange, target);
                }
            }
            case "POST" -> {
                requireMethod(!allNamespaces);
                verbs.create(exchange, target);
            }
            case "DELETE" -> {
                requireMethod(!allNamespaces);
                verbs.deleteAll(exchange, target);
            }
            default -> throw Refusal.methodNotAllowed();
        }
    }

    private static void requireMethod(boolean allowed) {
        if (!allowed) {
            throw Refusal.methodNotAllowed();
        }
    }
}
