package io.nodeward.core.cel;

import static io.nodeward.core.cel.CelLibrary.CIDR;
import static io.nodeward.core.cel.CelLibrary.FORMAT;
import static io.nodeward.core.cel.CelLibrary.IP;
import static io.nodeward.core.cel.CelLibrary.QUANTITY;
import static io.nodeward.core.cel.CelLibrary.SEMVER;
import static io.nodeward.core.cel.CelLibrary.STRINGS;
import static io.nodeward.core.cel.CelLibrary.URL;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** The functions that Kubernetes adds to the language, but those of lists. */
final class KubernetesLibraries {
    private KubernetesLibraries() {}

    static List<CelLibrary> all() {
        return List.of(quantity(), semver(), regex(), url(), ip(), cidr(), format());
    }

    private static CelLibrary quantity() {
        return ordered("quantity", QUANTITY, a -> quantity(a[0]).compareTo(quantity(a[1])))
                .function("quantity", "string_to_quantity", QUANTITY, a -> Quantity.parse(text(a)), SimpleType.STRING)
                .function("isQuantity", "is_quantity_string", SimpleType.BOOL,
                        a -> parses(text(a), Quantity::parse), SimpleType.STRING)
                .function("sign", "quantity_sign", SimpleType.INT, a -> (long) quantity(a[0]).sign(), QUANTITY)
                .member("asApproximateFloat", "quantity_get_float", SimpleType.DOUBLE,
                        a -> quantity(a[0]).asApproximateFloat(), QUANTITY)
                .member("asInteger", "quantity_get_int", SimpleType.INT, a -> quantity(a[0]).asInteger()
                        .orElseThrow(() -> new IllegalArgumentException("cannot convert value to integer")), QUANTITY)
                .member("isInteger", "quantity_is_integer", SimpleType.BOOL,
                        a -> quantity(a[0]).asInteger().isPresent(), QUANTITY)
                .member("add", "quantity_add", QUANTITY, a -> quantity(a[0]).plus(quantity(a[1])), QUANTITY, QUANTITY)
                .member("add", "quantity_add_int", QUANTITY, a -> quantity(a[0]).plus(Quantity.of((Long) a[1])),
                        QUANTITY, SimpleType.INT)
                .member("sub", "quantity_sub", QUANTITY, a -> quantity(a[0]).minus(quantity(a[1])), QUANTITY, QUANTITY)
                .member("sub", "quantity_sub_int", QUANTITY, a -> quantity(a[0]).minus(Quantity.of((Long) a[1])),
                        QUANTITY, SimpleType.INT);
    }

    /** The functions that compare two values of a type that has an order. */
    private static CelLibrary ordered(String name, CelType type, ToIntFunction<Object[]> order) {
        return new CelLibrary()
                .member("isGreaterThan", name + "_is_greater_than", SimpleType.BOOL, a -> order.applyAsInt(a) > 0, type,
                        type)
                .member("isLessThan", name + "_is_less_than", SimpleType.BOOL, a -> order.applyAsInt(a) < 0, type, type)
                .member("compareTo", name + "_compare_to", SimpleType.INT, a -> (long) order.applyAsInt(a), type, type);
    }

    private static CelLibrary semver() {
        return ordered("semver", SEMVER, a -> semver(a[0]).compareTo(semver(a[1])))
                .function("semver", "string_to_semver", SEMVER, a -> Semver.parse(text(a)), SimpleType.STRING)
                .function("semver", "string_bool_to_semver", SEMVER, a -> semver(text(a), (Boolean) a[1]),
                        SimpleType.STRING, SimpleType.BOOL)
                .function("isSemver", "is_semver_string", SimpleType.BOOL, a -> parses(text(a), Semver::parse),
                        SimpleType.STRING)
                .function("isSemver", "is_semver_string_bool", SimpleType.BOOL,
                        a -> parses(text(a), text -> semver(text, (Boolean) a[1])), SimpleType.STRING, SimpleType.BOOL)
                .member("major", "semver_major", SimpleType.INT, a -> semver(a[0]).major(), SEMVER)
                .member("minor", "semver_minor", SimpleType.INT, a -> semver(a[0]).minor(), SEMVER)
                .member("patch", "semver_patch", SimpleType.INT, a -> semver(a[0]).patch(), SEMVER);
    }

    private static CelLibrary regex() {
        return new CelLibrary()
                .member("find", "string_find_string", SimpleType.STRING,
                        a -> RegexSearch.first(text(a), (String) a[1]), SimpleType.STRING, SimpleType.STRING)
                .member("findAll", "string_find_all_string", STRINGS,
                        a -> RegexSearch.all(text(a), (String) a[1], -1), SimpleType.STRING, SimpleType.STRING)
                .member("findAll", "string_find_all_string_int", STRINGS,
                        a -> RegexSearch.all(text(a), (String) a[1], (Long) a[2]),
                        SimpleType.STRING, SimpleType.STRING, SimpleType.INT);
    }

    private static CelLibrary url() {
        return new CelLibrary()
                .function("url", "string_to_url", URL, a -> Url.parse(text(a)), SimpleType.STRING)
                .function("isURL", "is_url_string", SimpleType.BOOL, a -> Url.isUrl(text(a)), SimpleType.STRING)
                .member("getScheme", "url_get_scheme", SimpleType.STRING, a -> url(a[0]).scheme(), URL)
                .member("getHost", "url_get_host", SimpleType.STRING, a -> url(a[0]).host(), URL)
                .member("getHostname", "url_get_hostname", SimpleType.STRING, a -> url(a[0]).hostname(), URL)
                .member("getPort", "url_get_port", SimpleType.STRING, a -> url(a[0]).port(), URL)
                .member("getEscapedPath", "url_get_escaped_path", SimpleType.STRING, a -> url(a[0]).escapedPath(), URL)
                .member("getQuery", "url_get_query", MapType.create(SimpleType.STRING, STRINGS),
                        a -> url(a[0]).parameters(), URL);
    }

    private static CelLibrary ip() {
        return new CelLibrary()
                .function("ip", "string_to_ip", IP, a -> IpAddress.parse(text(a)), SimpleType.STRING)
                .function("isIP", "is_ip", SimpleType.BOOL, a -> parses(text(a), IpAddress::parse), SimpleType.STRING)
                .function("ip.isCanonical", "ip_is_canonical", SimpleType.BOOL,
                        a -> IpAddress.parse(text(a)).toString().equals(a[0]), SimpleType.STRING)
                .function("string", "ip_to_string", SimpleType.STRING, a -> a[0].toString(), IP)
                .member("family", "ip_family", SimpleType.INT, a -> ((IpAddress) a[0]).family(), IP)
                .member("isUnspecified", "ip_is_unspecified", SimpleType.BOOL, is(IpAddress::isUnspecified), IP)
                .member("isLoopback", "ip_is_loopback", SimpleType.BOOL, is(IpAddress::isLoopback), IP)
                .member("isLinkLocalMulticast", "ip_is_link_local_multicast", SimpleType.BOOL,
                        is(IpAddress::isLinkLocalMulticast), IP)
                .member("isLinkLocalUnicast", "ip_is_link_local_unicast", SimpleType.BOOL,
                        is(IpAddress::isLinkLocalUnicast), IP)
                .member("isGlobalUnicast", "ip_is_global_unicast", SimpleType.BOOL, is(IpAddress::isGlobalUnicast), IP);
    }

    private static CelLibrary cidr() {
        return new CelLibrary()
                .function("cidr", "string_to_cidr", CIDR, a -> IpRange.parse(text(a)), SimpleType.STRING)
                .function("isCIDR", "is_cidr", SimpleType.BOOL, a -> parses(text(a), IpRange::parse), SimpleType.STRING)
                .function("string", "cidr_to_string", SimpleType.STRING, a -> a[0].toString(), CIDR)
                .member("containsIP", "cidr_contains_ip_string", SimpleType.BOOL,
                        a -> cidr(a[0]).contains(IpAddress.parse((String) a[1])), CIDR, SimpleType.STRING)
                .member("containsIP", "cidr_contains_ip_ip", SimpleType.BOOL,
                        a -> cidr(a[0]).contains((IpAddress) a[1]), CIDR, IP)
                .member("containsCIDR", "cidr_contains_cidr_string", SimpleType.BOOL,
                        a -> cidr(a[0]).contains(IpRange.parse((String) a[1])), CIDR, SimpleType.STRING)
                .member("containsCIDR", "cidr_contains_cidr", SimpleType.BOOL,
                        a -> cidr(a[0]).contains(cidr(a[1])), CIDR, CIDR)
                .member("ip", "cidr_ip", IP, a -> cidr(a[0]).address(), CIDR)
                .member("prefixLength", "cidr_prefix_length", SimpleType.INT, a -> (long) cidr(a[0]).length(), CIDR)
                .member("masked", "cidr_masked", CIDR, a -> cidr(a[0]).masked(), CIDR);
    }

    private static CelLibrary format() {
        CelLibrary library = new CelLibrary()
                .function("format.named", "format-named", OptionalType.create(FORMAT),
                        a -> NamedFormat.named(text(a)), SimpleType.STRING)
                .member("validate", "format-validate", OptionalType.create(ListType.create(SimpleType.STRING)),
                        a -> ((NamedFormat) a[0]).fault((String) a[1]).map(List::of), FORMAT, SimpleType.STRING);
        for (NamedFormat format : NamedFormat.values()) {
            String name = "format." + format.nameInExpressions();
            library.function(name, name, FORMAT, a -> format);
        }
        return library;
    }

    private static String text(Object[] arguments) {
        return (String) arguments[0];
    }

    private static Quantity quantity(Object argument) {
        return (Quantity) argument;
    }

    private static Semver semver(Object argument) {
        return (Semver) argument;
    }

    private static Semver semver(String text, boolean leniently) {
        return leniently ? Semver.parseLeniently(text) : Semver.parse(text);
    }

    private static Url url(Object argument) {
        return (Url) argument;
    }

    private static IpRange cidr(Object argument) {
        return (IpRange) argument;
    }

    private static CelLibrary.Body is(Predicate<IpAddress> predicate) {
        return a -> predicate.test((IpAddress) a[0]);
    }

    private static boolean parses(String text, Function<String, ?> parser) {
        try {
            return Optional.ofNullable(parser.apply(text)).isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
