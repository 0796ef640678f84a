package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InternPoolTest {
    private final InternPool pool = new InternPool();

    /** What the pool gives for each element of an array. */
    private List<String> texts(String array) throws IOException {
        List<String> texts = new ArrayList<>();
        try (JsonParser p = new JsonFactory().createParser(array.replace('\'', '"').getBytes(StandardCharsets.UTF_8))) {
            p.nextToken();
            while (p.nextToken() != JsonToken.END_ARRAY) {
                texts.add(pool.text(p));
            }
        }
        return texts;
    }

    @Test
    void texts_of_one_hash_stay_apart() throws IOException {
        assertThat("Aa").hasSameHashCodeAs("BB");
        assertThat("AaBB").hasSameHashCodeAs("BBAa");
        assertThat(texts("['Aa','BB','Aa','AaBB','BBAa','BBBB']"))
                .containsExactly("Aa", "BB", "Aa", "AaBB", "BBAa", "BBBB");
        assertThat(pool.intern("Aa")).isEqualTo("Aa");
        assertThat(pool.intern("BB")).isEqualTo("BB");
    }

    @Test
    void a_text_that_is_known_is_the_same_string() throws IOException {
        List<String> texts = texts("['worker','other','worker','w\\u006frker','']");
        assertThat(texts.get(2)).isSameAs(texts.get(0));
        assertThat(texts.get(3)).isSameAs(texts.get(0));
        assertThat(pool.intern(new String("worker".toCharArray()))).isSameAs(texts.get(0));
        assertThat(texts.get(4)).isEmpty();
    }

    @Test
    void long_texts_are_given_whole() throws IOException {
        for (int length : new int[]{255, 256, 257, 5_000, 70_000}) {
            String text = "x".repeat(length - 1) + "\u00e9";
            assertThat(texts("['" + text + "','" + text + "']")).containsExactly(text, text);
        }
    }

    @Test
    void what_is_no_text_is_what_it_is_without_a_pool() throws IOException {
        assertThat(texts("[null,17,true,{'a':['b']},['c'],'d']")).containsExactly("", "17", "true", "", "", "d");
    }
}
