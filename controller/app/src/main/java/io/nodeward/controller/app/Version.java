package io.nodeward.controller.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version the jar was built as; asked for it, the one that the launcher knows, with the commit of a checkout. */
final class Version implements IVersionProvider {
    static String current() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("unreleased");
    }

    @Override
    public String[] getVersion() {
        String fromLauncher = System.getProperty("nodeward.version", "");
        return new String[]{"nodeward " + (fromLauncher.isEmpty() ? current() : fromLauncher)};
    }
}
