package io.nodeward.image;

/** Why there is no image or archive, in words for who builds it. */
final class ImageException extends RuntimeException {
    ImageException(String message) {
        super(message);
    }

    ImageException(String message, Exception cause) {
        super(message, cause);
    }
}
