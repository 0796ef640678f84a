package io.nodeward.core.testkit;

import java.io.IOException;

/** What a backend does whatever the server: faulty ones of the kit's own are talked to, no other can be seen from here. */
abstract class TransportTopic extends Topic {
    FaultyServer faulty(FaultyServer.Reply reply) throws IOException {
        return closing(new FaultyServer(reply));
    }
}
