package io.nodeward.core.spi.connect;

import java.io.IOException;

/** There is nothing to log in with; the message names the file or program, never what it holds or says. */
final class NoCredentialException extends IOException {
    NoCredentialException(String why) {
        super(why);
    }
}
