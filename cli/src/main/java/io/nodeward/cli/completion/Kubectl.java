package io.nodeward.cli.completion;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completion for {@code kubectl nodeward}. Of a plugin, kubectl asks a program named kubectl_complete-NAME in PATH: it gives
 * it the words after the plugin's name, of which the last is being typed, and takes one candidate from each line, with a
 * description behind a tab; the last line is a colon and a number of cobra's: 0 files too, 4 no files.
 */
public final class Kubectl {
    private static final String END = "END\n";
    private static final String HEAD = """
            #!/bin/sh
            # Completes 'kubectl nodeward': kubectl finds it in PATH by the name kubectl_complete-nodeward.
            # Written by 'nodeward completion kubectl'. Needs no Java.
            set -f
            tab=$(printf '\\t')

            commands() { # each with what it does
              cat <<'END'
            """;
    private static final String OPTIONS = """
            }

            options() { # of a command, in each line: names|nothing, FILE, VALUE or words that it takes|what it is for
              case $1 in
            """;
    private static final String POSITIONAL = """
              esac
            }

            words() { # that may follow a command
              case $1 in
            """;
    private static final String TAIL = """
              esac
            }

            end() {
              echo ":$1"
              exit 0
            }

            offer() { # words, as far as they begin with what is typed
              for word in $1; do
                case $word in "$typed"*) printf '%s\\n' "$word" ;; esac
              done
            }

            taken() { # by an option
              options "$command" | while IFS='|' read -r names takes about; do
                for name in $names; do
                  [ "$name" != "$1" ] || printf '%s\\n' "$takes"
                done
              done
            }

            values() { # of an option; goes on if it takes none
              takes=$(taken "$1")
              case $takes in
                '') return ;;
                FILE) end 0 ;;
                VALUE) end 4 ;;
              esac
              offer "$takes"
              end 4
            }

            command= previous=
            while [ $# -gt 1 ]; do
              previous=$1
              case $1 in
                -*) ;;
                *) [ -n "$command" ] || command=$1 ;;
              esac
              shift
            done
            typed=${1:-}
            case $previous in -*) values "$previous" ;; esac
            case $typed in
              -*=*)
                option=${typed%%=*} typed=${typed#*=}
                values "$option"
                end 4 ;;
              -*)
                options "$command" | while IFS='|' read -r names takes about; do
                  for name in $names; do
                    case $name in "$typed"*) printf '%s\\n' "$name${about:+$tab$about}" ;; esac
                  done
                done
                end 4 ;;
            esac
            if [ -z "$command" ]; then
              commands | while IFS= read -r line; do
                case $line in "$typed"*) printf '%s\\n' "$line" ;; esac
              done
            fi
            offer "$(words "$command")"
            end 4
            """;

    private final StringBuilder script = new StringBuilder(HEAD);

    private Kubectl() {}

    public static String script(CommandLine root) {
        Kubectl kubectl = new Kubectl();
        Map<String, CommandLine> commands = new TreeMap<>(root.getSubcommands());
        commands.forEach((name, command) -> kubectl.script.append(name).append('\t')
                .append(Offer.described(command.getCommandSpec().usageMessage().description())).append('\n'));
        kubectl.script.append(END).append(OPTIONS);
        kubectl.options("''", root.getCommandSpec());
        commands.forEach((name, command) -> kubectl.options(name, command.getCommandSpec()));
        kubectl.script.append(POSITIONAL);
        commands.forEach((name, command) -> kubectl.words(name, Offer.words(command.getCommandSpec())));
        return kubectl.script.append(TAIL).toString();
    }

    private void options(String pattern, CommandSpec command) {
        script.append("    ").append(pattern).append(") cat <<'END'\n");
        for (OptionSpec option : Offer.options(command)) {
            script.append(String.join(" ", option.names())).append('|').append(takes(option)).append('|')
                    .append(Offer.described(option.description())).append('\n');
        }
        script.append(END).append("    ;;\n");
    }

    private void words(String command, String words) {
        if (!words.isEmpty()) {
            script.append("    ").append(command).append(") echo '").append(words).append("' ;;\n");
        }
    }

    private static String takes(OptionSpec option) {
        if (!Offer.takesValue(option)) {
            return "";
        }
        String words = Offer.words(option);
        return !words.isEmpty() ? words : Offer.takesFile(option) ? "FILE" : "VALUE";
    }
}
