package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.core.SecretData;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Reads ConfigMaps and Secrets. No text of them gets into the pool of shared texts. */
final class DataReader {
    static final Projection.Reader<ConfigMap> CONFIG_MAP =
            new ShapeReader<>((metadata, map) -> new ConfigMap(metadata, texts(map)), "data");

    static final Projection.Reader<SecretData> SECRET = new ShapeReader<>((metadata, secret) -> {
        Map<String, byte[]> data = new HashMap<>();
        texts(secret).forEach((name, text) -> data.put(name, decoded(text)));
        return new SecretData(metadata, Parts.scalar(secret.at("type")), data);
    }, "type", "data");

    static final Projection.Reader<KubeconfigSecret> KUBECONFIG = new ShapeReader<>(
            (metadata, secret) -> new KubeconfigSecret(metadata, Parts.scalar(secret.at("type")),
                    new String(decoded(Parts.scalar(secret.at("data").at("value"))), StandardCharsets.UTF_8)),
            "type", "data.value");

    private DataReader() {}

    private static Map<String, String> texts(Tree object) {
        Map<String, String> texts = new HashMap<>();
        if (object.at("data") instanceof Tree.Fields(Map<String, Tree> fields)) {
            fields.forEach((name, text) -> texts.put(name, Parts.scalar(text)));
        }
        return texts;
    }

    /** Decodes a value. API servers refuse what is not base64; if some arrives all the same, it is as good as nothing. */
    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
