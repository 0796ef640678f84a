package io.nodeward.core.rules.selector;

import java.util.ArrayList;
import java.util.List;

/** Takes the text of a selector apart; any text can be. */
final class SelectorLexer {
    private static final String BLANKS = " \t\r\n";
    private static final String SYMBOLS = "=!(),><";

    private final String text;
    private int at;

    private SelectorLexer(String text) {
        this.text = text;
    }

    enum Kind {
        END,
        WORD,
        IN,
        NOT_IN,
        NOT,
        COMMA,
        OPEN,
        CLOSE,
        EQUALS,
        DOUBLE_EQUALS,
        NOT_EQUALS,
        GREATER,
        LESS
    }

    record Token(Kind kind, String text) {
        /** As a key or a value: words of the language are words like any other there. */
        Kind asValue() {
            return kind == Kind.IN || kind == Kind.NOT_IN ? Kind.WORD : kind;
        }
    }

    /** The last one is END. */
    static List<Token> tokens(String text) {
        SelectorLexer lexer = new SelectorLexer(text);
        List<Token> tokens = new ArrayList<>();
        do {
            tokens.add(lexer.next());
        } while (tokens.get(tokens.size() - 1).kind() != Kind.END);
        return tokens;
    }

    private Token next() {
        while (at < text.length() && isIn(BLANKS)) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Kind.END, "");
        }
        return isIn(SYMBOLS) ? symbol() : word();
    }

    private Token symbol() {
        String two = text.substring(at, Math.min(at + 2, text.length()));
        if (two.equals("==") || two.equals("!=")) {
            at += 2;
            return new Token(two.equals("==") ? Kind.DOUBLE_EQUALS : Kind.NOT_EQUALS, two);
        }
        char symbol = text.charAt(at++);
        Kind kind = switch (symbol) {
            case '=' -> Kind.EQUALS;
            case '!' -> Kind.NOT;
            case '(' -> Kind.OPEN;
            case ')' -> Kind.CLOSE;
            case ',' -> Kind.COMMA;
            case '>' -> Kind.GREATER;
            default -> Kind.LESS;
        };
        return new Token(kind, String.valueOf(symbol));
    }

    private Token word() {
        int start = at;
        while (at < text.length() && !isIn(BLANKS) && !isIn(SYMBOLS)) {
            at++;
        }
        String word = text.substring(start, at);
        return new Token(word.equals("in") ? Kind.IN : word.equals("notin") ? Kind.NOT_IN : Kind.WORD, word);
    }

    private boolean isIn(String characters) {
        return characters.indexOf(text.charAt(at)) >= 0;
    }
}
