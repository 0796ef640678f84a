package io.nodeward.e2e.clusters;

class DroppedClustersOfficialTest extends DroppedClusters {
    DroppedClustersOfficialTest() {
        super("official");
    }
}
