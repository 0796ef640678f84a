package io.nodeward.e2e.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Surefire's files {@code TEST-*.xml}, one for each class and execution. */
final class SurefireReports {
    private static final Path FOLDER = Path.of("target", "surefire-reports");
    private static final int DEEPEST_MODULE = 2;

    private SurefireReports() {}

    /**
     * The classes whose reports were written then or later.
     *
     * @param root of the checkout
     */
    static List<TestClass> since(Path root, Instant start) throws IOException {
        try (Stream<Path> files = Files.find(root, DEEPEST_MODULE + FOLDER.getNameCount() + 1,
                (file, attributes) -> attributes.isRegularFile() && isReport(file)
                        && !attributes.lastModifiedTime().toInstant().isBefore(start))) {
            return files.map(file -> read(root, file)).toList();
        }
    }

    private static boolean isReport(Path file) {
        Path folder = file.getParent();
        String name = file.getFileName().toString();
        return folder != null && folder.endsWith(FOLDER) && name.startsWith("TEST-") && name.endsWith(".xml");
    }

    private static TestClass read(Path root, Path file) {
        Path module = root.relativize(file).subpath(0, root.relativize(file).getNameCount() - 3);
        try (InputStream in = Files.newInputStream(file)) {
            XMLInputFactory factory = XMLInputFactory.newFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            xml.nextTag();
            return new TestClass(module.toString(), xml.getAttributeValue(null, "name"),
                    Integer.parseInt(xml.getAttributeValue(null, "tests")),
                    Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException(file + " is no report of Surefire", e);
        }
    }
}
