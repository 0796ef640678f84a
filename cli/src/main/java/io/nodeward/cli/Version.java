package io.nodeward.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the launcher knows, of a package or of a checkout with its commit; else that of the jar. */
final class Version implements IVersionProvider {
    private static final String PROPERTY = "nodeward.version";

    @Override
    public String[] getVersion() {
        String fromLauncher = System.getProperty(PROPERTY, "");
        String built = Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("unreleased");
        return new String[]{"nodeward " + (fromLauncher.isEmpty() ? built : fromLauncher)};
    }
}
