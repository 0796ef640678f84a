package io.nodeward.core.cel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A location as Go's {@code net/url} reads it, which Kubernetes uses: absolute, or a path from the root. */
record Url(String scheme, String host, String escapedPath, String query) {
    private static final String UNRESERVED = "-_.~";
    private static final String OF_HOST = UNRESERVED + "!$&'()*+,;=:[]<>\"";
    private static final String OF_PATH = UNRESERVED + "$&+,/:;=@";
    private static final String ALSO_OF_PATH = OF_PATH + "!'()*[]%";
    private static final String OF_USER = UNRESERVED + ":!$&'()*+,;=%@";

    /** @throws IllegalArgumentException if it is none */
    static Url parse(String text) {
        parsed(text, true); // which takes a fragment for a part of the path or query
        int fragment = text.indexOf('#');
        if (fragment >= 0) {
            unescaped(text.substring(fragment + 1), false);
            return parsed(text.substring(0, fragment), false);
        }
        return parsed(text, false);
    }

    static boolean isUrl(String text) {
        try {
            parsed(text, true);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Url parsed(String text, boolean ofRequest) {
        if (text.isEmpty()) {
            throw fault(text, "empty url");
        }
        if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw fault(text, "net/url: invalid control character in URL");
        }
        if (text.equals("*")) {
            return new Url("", "", "*", "");
        }
        String scheme = scheme(text);
        String rest = text.substring(scheme.isEmpty() ? 0 : scheme.length() + 1);
        int mark = rest.indexOf('?');
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        rest = mark < 0 ? rest : rest.substring(0, mark);
        scheme = scheme.toLowerCase(Locale.ROOT);
        if (!rest.startsWith("/")) {
            if (scheme.isEmpty()) {
                throw fault(text, "invalid URI for request");
            }
            return new Url(scheme, "", "", query);
        }
        boolean authorityFollows = rest.startsWith("//")
                && (!scheme.isEmpty() || !ofRequest && !rest.startsWith("///"));
        if (!authorityFollows) {
            return new Url(scheme, "", path(rest), query);
        }
        int slash = rest.indexOf('/', 2);
        String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        return new Url(scheme, hostOf(scheme, authority, text), slash < 0 ? "" : path(rest.substring(slash)), query);
    }

    private static IllegalArgumentException fault(String text, String why) {
        return new IllegalArgumentException(
                "URL parse error during conversion from string: parse \"" + text + "\": " + why);
    }

    private static String scheme(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':') {
                if (i == 0) {
                    throw fault(text, "missing protocol scheme");
                }
                return text.substring(0, i);
            }
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            if (!letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'))) {
                return "";
            }
        }
        return "";
    }

    private static String hostOf(String scheme, String authority, String text) {
        int at = authority.lastIndexOf('@');
        if (at >= 0) {
            String user = authority.substring(0, at);
            if (!user.chars().allMatch(c -> isAllowed(c, OF_USER))) {
                throw fault(text, "net/url: invalid userinfo");
            }
            unescaped(user, false);
        }
        return host(scheme, authority.substring(at + 1), text);
    }

    private static String host(String scheme, String host, String text) {
        int bracket = host.lastIndexOf('[');
        if (bracket > 0) {
            throw fault(text, "invalid IP-literal");
        }
        if (bracket == 0) {
            return literal(host, text);
        }
        int colon = scheme.equals("http") || scheme.equals("https") ? host.indexOf(':') : host.lastIndexOf(':');
        if (colon >= 0) {
            checkPort(host.substring(colon), text);
        }
        return unescapedHost(host, text);
    }

    private static String literal(String host, String text) {
        int end = host.lastIndexOf(']');
        if (end < 0) {
            throw fault(text, "missing ']' in host");
        }
        checkPort(host.substring(end + 1), text);
        String name = host.substring(1, end);
        int zone = name.indexOf("%25");
        String address = unescapedHost(zone < 0 ? name : name.substring(0, zone), text);
        if (!IpAddress.isVersion6(address)) {
            throw fault(text, "invalid IP-literal");
        }
        return "[" + address + (zone < 0 ? "" : unescaped(name.substring(zone), false)) + "]" + host.substring(end + 1);
    }

    private static void checkPort(String port, String text) {
        if (!isPort(port)) {
            throw fault(text, "invalid port \"" + port + "\" after host");
        }
    }

    private static boolean isPort(String port) {
        return port.isEmpty() || port.charAt(0) == ':' && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    }

    private static String unescapedHost(String host, String text) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean escape = c == '%';
            if (escape && i + 1 < host.length() && Character.digit(host.charAt(i + 1), 16) < 8
                    && !host.startsWith("%25", i)) {
                throw fault(text, "invalid URL escape in host");
            }
            if (!escape && c < 0x80 && !isAllowed(c, OF_HOST)) {
                throw fault(text, "invalid character \"" + c + "\" in host name");
            }
        }
        return unescaped(host, false);
    }

    private static boolean isAllowed(int c, String marks) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || marks.indexOf(c) >= 0;
    }

    private static String path(String raw) {
        String path = unescaped(raw, false);
        boolean kept = raw.chars().allMatch(c -> isAllowed(c, ALSO_OF_PATH));
        return kept ? raw : escaped(path);
    }

    private static String escaped(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && isAllowed(b, OF_PATH)) {
                escaped.append((char) b);
            } else {
                escaped.append('%').append(String.format(Locale.ROOT, "%02X", b));
            }
        }
        return escaped.toString();
    }

    private static String unescaped(String text, boolean ofQuery) {
        byte[] from = text.getBytes(StandardCharsets.UTF_8);
        byte[] to = new byte[from.length];
        int length = 0;
        for (int i = 0; i < from.length; i++) {
            if (from[i] == '%') {
                if (i + 2 >= from.length || Character.digit(from[i + 1], 16) < 0
                        || Character.digit(from[i + 2], 16) < 0) {
                    throw fault(text, "invalid URL escape");
                }
                to[length++] = (byte) (Character.digit(from[i + 1], 16) << 4 | Character.digit(from[i + 2], 16));
                i += 2;
            } else {
                to[length++] = ofQuery && from[i] == '+' ? (byte) ' ' : from[i];
            }
        }
        return new String(to, 0, length, StandardCharsets.UTF_8);
    }

    long length() {
        return (long) scheme.length() + host.length() + escapedPath.length() + query.length();
    }

    String hostname() {
        int colon = host.lastIndexOf(':');
        String name = colon >= 0 && isPort(host.substring(colon)) ? host.substring(0, colon) : host;
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    String port() {
        int colon = host.lastIndexOf(':');
        return colon >= 0 && isPort(host.substring(colon)) ? host.substring(colon + 1) : "";
    }

    /** The values of each key of the query; what cannot be read is left out. */
    Map<String, List<String>> parameters() {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty() || pair.contains(";")) {
                continue;
            }
            int equal = pair.indexOf('=');
            try {
                String key = unescaped(equal < 0 ? pair : pair.substring(0, equal), true);
                String value = equal < 0 ? "" : unescaped(pair.substring(equal + 1), true);
                parameters.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
            } catch (IllegalArgumentException e) {
                continue; // Go keeps the others, and Kubernetes does not look at the error
            }
        }
        return parameters;
    }
}
