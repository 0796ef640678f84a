package io.nodeward.backend.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipBodyTest {
    @Test
    void a_gzip_body_is_decoded_and_closing_it_is_an_ioexception_for_the_reader() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write("plain text".getBytes());
        }
        GzipBody body = new GzipBody(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(new String(body.readNBytes(5))).isEqualTo("plain");
        body.close();
        assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
    }
}
