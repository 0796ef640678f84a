package io.nodeward.e2e.clusters;

class DroppedClustersFabric8Test extends DroppedClusters {
    DroppedClustersFabric8Test() {
        super("fabric8");
    }
}
