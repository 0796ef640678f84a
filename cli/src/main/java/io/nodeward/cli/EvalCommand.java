package io.nodeward.cli;

import io.nodeward.cli.eval.CaseEvaluator;
import io.nodeward.cli.eval.CaseLines;
import io.nodeward.cli.terminal.HarmlessWriter;
import io.nodeward.cli.terminal.Terminal;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code nodeward eval RULE}: a provider in whatever language asks what Nodeward decides. */
@Command(name = "eval", sortOptions = false, description = {
        "Evaluates cases of a rule: one JSON object per line on standard input, one answer per line, in their order, on"
                + " standard output. A case has the shape of the conformance vectors; an expectation is not looked at.",
        "An answer has the case's name or id, and its result, or an error if the case cannot be evaluated."
})
final class EvalCommand implements Callable<Integer> {
    private final InputStream in;
    private final OutputStream out;

    @Parameters(paramLabel = "RULE", completionCandidates = RuleNames.class, description = "${COMPLETION-CANDIDATES}")
    String rule = "";

    EvalCommand(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    static final class RuleNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return CaseEvaluator.ruleNames().iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        CaseEvaluator evaluator = CaseEvaluator.of(rule).orElseThrow(this::unknown);
        Writer answers = new BufferedWriter(
                HarmlessWriter.out(new OutputStreamWriter(out, StandardCharsets.UTF_8), Terminal.NONE));
        CaseLines cases = new CaseLines(in);
        for (Optional<CaseLines.Line> line = cases.next(); line.isPresent(); line = cases.next()) {
            answers.write(evaluator.evaluate(line.get()));
            answers.write('\n');
            if (!cases.isReady()) { // who writes one case and waits for its answer gets it
                flush(answers);
            }
        }
        flush(answers);
        return 0;
    }

    private void flush(Writer answers) throws IOException {
        answers.flush();
        if (out instanceof PrintStream stream && stream.checkError()) { // which throws nothing
            throw new IOException("answers cannot be written to standard output");
        }
    }

    private IllegalArgumentException unknown() {
        return new IllegalArgumentException("there is no rule '" + rule + "'; there are: "
                + String.join(", ", CaseEvaluator.ruleNames()));
    }
}
