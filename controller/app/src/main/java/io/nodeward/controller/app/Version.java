package io.nodeward.controller.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version the jar was built as. */
final class Version implements IVersionProvider {
    static String current() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("unreleased");
    }

    @Override
    public String[] getVersion() {
        return new String[]{"nodeward " + current()};
    }
}
