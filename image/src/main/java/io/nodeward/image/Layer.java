package io.nodeward.image;

/** Layers of the image. The later one comes, the more often it changes. */
enum Layer {
    RUNTIME, LIBRARIES, NODEWARD, AOT_CACHE;

    static final String CACHE = "app/controller.aot";

    /** @param path in the image, relative to its root */
    static Layer of(String path) {
        if (path.equals(CACHE)) {
            return AOT_CACHE;
        }
        if (path.startsWith("app/lib/") && !isOurs(path.substring("app/lib/".length()))) {
            return LIBRARIES;
        }
        return path.startsWith("app/") || path.equals(Sbom.PATH) ? NODEWARD : RUNTIME;
    }

    static boolean isOurs(String jar) {
        return jar.startsWith("nodeward-");
    }
}
