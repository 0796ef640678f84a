package io.nodeward.core.runtime.cluster;

import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who this process is to the API server of its cluster, which is asked once. */
public final class OwnUser {
    private final HomeCluster home;
    private volatile @Nullable String name;

    public OwnUser(HomeCluster home) {
        this.home = home;
    }

    /**
     * Returns the user name.
     *
     * @throws ApiFailure if the server does not answer, or not with a name
     */
    public String name() {
        String known = name;
        if (known == null) {
            known = asked();
            name = known;
        }
        return known;
    }

    private String asked() {
        try {
            String answer = ServerClock.review(home).at(List.of("status", "userInfo", "username")).string();
            if (!answer.isEmpty()) {
                return answer;
            }
        } catch (IOException unreadable) {
            throw failure(unreadable);
        }
        throw failure(new IOException("the name is empty"));
    }

    private static ApiFailure failure(IOException cause) {
        return ApiFailure.unreachable(
                "POST of a SelfSubjectReview", "the answer has no status.userInfo.username", cause);
    }
}
