package io.nodeward.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs programs of the machine that builds the image. */
final class Program {
    private Program() {}

    /**
     * Returns what it prints.
     *
     * @param origin how to get the program
     * @throws ImageException with what it printed, if it fails
     */
    static String run(String origin, List<String> command) {
        String name = command.getFirst();
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C.UTF-8"); // some of what it prints is read, and may be translated
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new ImageException(name + " ended with " + exit + ":\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new ImageException(name + " cannot be run; " + origin, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ImageException("interrupted while " + name + " was running", e);
        }
    }
}
