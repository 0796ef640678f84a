package io.nodeward.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the launcher knows, of a package or of a checkout with its commit; else that of the jar. */
final class Version implements IVersionProvider {
    private static final String TOLD = "nodeward.version";

    @Override
    public String[] getVersion() {
        String told = System.getProperty(TOLD, "");
        String built = Optional.ofNullable(Version.class.getPackage().getImplementationVersion()).orElse("unreleased");
        return new String[]{"nodeward " + (told.isEmpty() ? built : told)};
    }
}
