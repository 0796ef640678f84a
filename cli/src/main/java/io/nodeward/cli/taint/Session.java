package io.nodeward.cli.taint;

import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Terminal;
import java.io.PrintWriter;

/** To whom a command speaks, and by which clock it waits. */
public record Session(PrintWriter out, PrintWriter err, Terminal terminal, Time time) {}
