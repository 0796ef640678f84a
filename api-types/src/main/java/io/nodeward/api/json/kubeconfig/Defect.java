package io.nodeward.api.json.kubeconfig;

/** Why a kubeconfig is refused: names the field, and never says what is in it. */
final class Defect extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    Defect(String what) {
        super(what);
    }

    String what() {
        return String.valueOf(getMessage());
    }
}
