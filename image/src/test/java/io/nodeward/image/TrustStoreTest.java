package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustStoreTest {
    private static final String AUTHORITY = """
            -----BEGIN CERTIFICATE-----
            MIIBfzCCASWgAwIBAgIUeK7lidSd7E8GHyjUdDtrJLSNgfMwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyNzA3MDMyN1oYDzIxMjYxMTAz
            MDcwMzI3WjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAASCSSTdA8ghEPCPzx5GtR44OUOEBMc/IRcn5GTuyFO6Q9PHmr0lXKjE
            jvHgwpd1fcQF9mU9ZSiP1KrDrviNQesyo1MwUTAdBgNVHQ4EFgQUhjaEpIMuzJtF
            Ml4KfdtG6e73xDwwHwYDVR0jBBgwFoAUhjaEpIMuzJtFMl4KfdtG6e73xDwwDwYD
            VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA4LLuDOMAcj4/aotFUrJi
            FUL9eI5IFYcg7TJjtzr55UcCIGMuUfMTVod+KoX1CIgOH7aVZmcBS7cQSwXOGkJe
            7cVI
            -----END CERTIFICATE-----
            """;

    @TempDir
    private Path directory;

    @Test
    void it_replaces_the_one_that_is_there_and_is_the_same_each_time() throws IOException, GeneralSecurityException {
        Path folder = folder(AUTHORITY);
        Path first = Files.writeString(directory.resolve("first"), "of the JDK");
        Path second = directory.resolve("second");
        TrustStore.write(folder, first);
        TrustStore.write(folder, second);
        assertThat(first).hasSameBinaryContentAs(second);
        KeyStore store = KeyStore.getInstance(first.toFile(), (char[]) null);
        assertThat(Collections.list(store.aliases())).containsExactly("0 cn=authority");
        assertThat(store.isCertificateEntry("0 cn=authority")).isTrue();
    }

    @Test
    void what_is_missing_or_no_certificate_is_named() throws IOException {
        Path folder = folder("none");
        assertThatThrownBy(() -> TrustStore.write(folder, directory.resolve("store")))
                .isInstanceOf(ImageException.class).hasMessageContaining(folder.toString());
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> TrustStore.write(missing, directory.resolve("store")))
                .isInstanceOf(ImageException.class).hasMessageContaining("no " + missing);
    }

    private Path folder(String file) throws IOException {
        Path folder = Files.createDirectory(directory.resolve("authorities"));
        Files.writeString(folder.resolve("A.crt"), file);
        return folder;
    }
}
