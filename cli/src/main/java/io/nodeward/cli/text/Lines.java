package io.nodeward.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Breaks texts: at blanks, else behind a sign that parts names, else anywhere. Nothing is left out. */
final class Lines {
    private static final String PARTING = "/:,.-_=[]";

    private Lines() {}

    /** Lines of at most so many characters; one empty line of an empty text. */
    static List<String> of(String text, int width) {
        List<String> lines = new ArrayList<>(1);
        String rest = text;
        while (rest.length() > width) {
            int end = end(rest, width);
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    private static int end(String text, int width) {
        int blank = text.lastIndexOf(' ', width);
        if (blank > width / 3) {
            return blank;
        }
        for (int i = width; i > width / 2; i--) {
            if (PARTING.indexOf(text.charAt(i - 1)) >= 0) {
                return i;
            }
        }
        return Character.isHighSurrogate(text.charAt(width - 1)) && width > 1 ? width - 1 : width;
    }
}
