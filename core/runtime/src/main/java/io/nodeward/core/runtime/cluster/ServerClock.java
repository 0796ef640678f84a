package io.nodeward.core.runtime.cluster;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The clock of the API server, to the second. Each look is a request: a SelfSubjectReview, which every user may create, and which the
 * server answers with the time and does not keep.
 */
public record ServerClock(HomeCluster home) implements InstantSource {
    private static final Resource REVIEWS = new Resource("authentication.k8s.io", "v1", "selfsubjectreviews", false);
    private static final byte[] REVIEW = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}"
            .getBytes(StandardCharsets.UTF_8);

    /** @throws ApiFailure if the server does not answer, or not with a time */
    @Override
    public Instant instant() {
        try {
            return Instant.parse(review(home).at(List.of("metadata", "creationTimestamp")).string());
        } catch (IOException | DateTimeException noTime) {
            throw ApiFailure.unreachable("POST of a SelfSubjectReview", "the answer has no metadata.creationTimestamp",
                    noTime);
        }
    }

    /** Returns a review of who this process is to the server. */
    static Tree review(HomeCluster home) throws IOException {
        return Trees.read(home.server().post(REVIEWS, REVIEW));
    }
}
