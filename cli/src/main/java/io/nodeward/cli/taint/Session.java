package io.nodeward.cli.taint;

import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.terminal.Terminal;
import java.io.PrintWriter;

/** To whom a command speaks, and by which clock it waits. */
public record Session(PrintWriter out, PrintWriter err, Terminal terminal, Time time) {
    /** One line of what was done; names in it may be anybody's. */
    void say(String line) {
        out.println(Harmless.line(line));
        out.flush();
    }

    /** What may not be as it was meant, and is done all the same. */
    void warn(String line) {
        err.println(Harmless.lines(line));
    }
}
