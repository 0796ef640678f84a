package io.nodeward.controller.app;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Escapes what JSON allows in a text and a program or a terminal may take for the end of a line or for a command. */
public final class EscapingJsonEncoder extends JsonEncoder {
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n]]");

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = new String(super.encode(event), StandardCharsets.UTF_8);
        return UNSEEN.matcher(line).replaceAll(EscapingJsonEncoder::escaped).getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(MatchResult unseen) {
        return unseen.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining());
    }
}
