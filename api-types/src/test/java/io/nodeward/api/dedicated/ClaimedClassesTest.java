package io.nodeward.api.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimedClassesTest {
    private static final String DEVICES = """
            {'devices':{'requests':[
              {'name':'a','exactly':{'deviceClassName':'gpu','count':2}},
              {'name':'b','firstAvailable':[{'name':'x','deviceClassName':'big'},{'name':'y','deviceClassName':'gpu'}]},
              {'name':'c'}],
              'constraints':[{'requests':['a']}]}}""";

    @Test
    void a_claim_names_classes_in_its_requests_and_their_alternatives() throws IOException {
        ClaimedClasses claim =
                read(ClaimedClasses.OF_CLAIM, "{'metadata':{'name':'c','namespace':'n'},'spec':" + DEVICES
                        + ",'status':{'reservedFor':[{'resource':'pods'}]}}");
        assertThat(claim.key()).isEqualTo(new ObjectKey("n", "c"));
        assertThat(claim.requests()).containsExactlyInAnyOrder(Set.of("gpu"), Set.of("big", "gpu"));
        assertThat(claim.withResourceVersion("8").sameState(claim)).isTrue();
    }

    @Test
    void a_template_has_the_same_one_level_deeper() throws IOException {
        String template = "{'metadata':{'name':'t','namespace':'n'},'spec':{'metadata':{'labels':{'a':'b'}},'spec':"
                + DEVICES + "}}";
        assertThat(read(ClaimedClasses.OF_TEMPLATE, template).requests())
                .containsExactlyInAnyOrder(Set.of("gpu"), Set.of("big", "gpu"));
        assertThat(read(ClaimedClasses.OF_CLAIM, template).requests()).isEmpty();
    }

    @Test
    void what_asks_for_nothing_has_no_classes() throws IOException {
        assertThat(read(ClaimedClasses.OF_CLAIM, "{'metadata':{'name':'c'}}").requests()).isEmpty();
        assertThat(read(ClaimedClasses.OF_TEMPLATE, "{'spec':{'spec':{'devices':{'requests':'x'}}}}").requests())
                .isEmpty();
    }

    private static ClaimedClasses read(Projection<ClaimedClasses> as, String json) throws IOException {
        return as.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
