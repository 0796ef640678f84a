package io.nodeward.controller.app;

import io.nodeward.controller.app.KnownController.FeatureGate;
import java.util.ListResourceBundle;

/** Parts of help texts that are lists of the program's own: an annotation takes only constants. */
final class HelpLists extends ListResourceBundle {
    static final String CONTROLLERS = "list.controllers";
    static final String FEATURE_GATES = "list.feature-gates";

    @Override
    protected Object[][] getContents() {
        return new Object[][]{{CONTROLLERS, KnownController.help()}, {FEATURE_GATES, FeatureGate.help()}};
    }
}
