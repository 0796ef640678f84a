package io.nodeward.core.fakeapi;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** From paths to what serves them. */
record Router(Registry registry, Discovery discovery, Verbs verbs, Watches watches, Evictions evictions) {
    void serve(Exchange exchange) throws IOException {
        List<String> path = exchange.path();
        int root = path.isEmpty() ? 0 : path.getFirst().equals("api") ? 2 : path.getFirst().equals("apis") ? 3 : 0;
        if (root > 0 && path.size() > root) {
            String group = root == 2 ? "" : path.get(1);
            Optional<Verbs.RequestInfo> info = requestInfo(group, path.get(root - 1), path.subList(root, path.size()));
            if (info.isPresent()) {
                serve(exchange, info.get());
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

    private Optional<Verbs.RequestInfo> requestInfo(String group, String version, List<String> rest) {
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
                .map(s -> new Verbs.RequestInfo(s, version, namespace, name, subresource));
    }

    private void serve(Exchange exchange, Verbs.RequestInfo info) throws IOException {
        String method = exchange.request().method();
        if (info.name().isEmpty()) {
            serveCollection(exchange, info, method);
            return;
        }
        if (info.subresource().equals(Evictions.SUBRESOURCE)) {
            requireMethod(method.equals("POST"));
            evictions.evict(exchange, info);
            return;
        }
        switch (method) {
            case "GET" -> verbs.get(exchange, info);
            case "PUT" -> verbs.update(exchange, info);
            case "PATCH" -> verbs.patch(exchange, info);
            case "DELETE" -> {
                requireMethod(info.subresource().isEmpty());
                verbs.delete(exchange, info);
            }
            default -> throw Refusal.methodNotAllowed();
        }
    }

    private void serveCollection(Exchange exchange, Verbs.RequestInfo info, String method) throws IOException {
        boolean allNamespaces = info.kind().namespaced() && info.namespace().isEmpty();
        switch (method) {
            case "GET" -> {
                if (exchange.flag("watch")) {
                    View view = View.accepted(exchange, info.kind(), info.version());
                    watches.serve(exchange, info.store(), info.namespace(), view);
                } else {
                    verbs.list(exchange, info);
                }
            }
            case "POST" -> {
                requireMethod(!allNamespaces);
                verbs.create(exchange, info);
            }
            case "DELETE" -> {
                requireMethod(!allNamespaces);
                verbs.deleteAll(exchange, info);
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
