package io.nodeward.controller.app;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address to listen on, as in {@link Addresses}. */
final class AddressText implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String text) {
        return Addresses.find(text).orElseThrow(() -> new TypeConversionException(Addresses.isNone(text)));
    }
}
