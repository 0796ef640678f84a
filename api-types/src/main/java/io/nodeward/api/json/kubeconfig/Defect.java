package io.nodeward.api.json.kubeconfig;

/** Why a kubeconfig is refused: names the field, and never says what is in it. */
final class Defect extends IllegalArgumentException {
    Defect(String what) {
        super(what);
    }

    String what() {
        return String.valueOf(getMessage());
    }
}
