package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a kubeconfig of a Secret may lead to. */
class AllowedServersTest {
    @ParameterizedTest
    @ValueSource(strings = {
            "127.0.0.1", "127.255.255.255", "::1", "0.0.0.0", "0.1.2.3", "::", // this machine
            "169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::a9fe:a9fe", "febf::1", // link-local
            "224.0.0.1", "239.255.255.255", "ff02::1", "255.255.255.255", // multicast and broadcast
            "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
            "fd00:c1::a9fe:a9fe", "fd00:42::42", // metadata
            "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::7f00:1", "::ffff:0:7f00:1", // as an IPv6 address
            "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::a9fe:a9fe", "2002:7f00:1::1", "2002:a9fe:a9fe::"})
    void a_reserved_address_is_refused_as_a_host_and_behind_a_name(String address) throws UnknownHostException {
        assertThat(AllowedServers.UNRESERVED.open(InetAddress.getByName(address))).isFalse();
        assertThat(AllowedServers.UNRESERVED.allow(inUrl(address))).isFalse();
        assertThat(AllowedServers.of(List.of("api.example.com", "10.0.0.0/8", "*.example.com", "0.0.0.0/0", "::/0"))
                .open(InetAddress.getByName(address))).as("names and wide networks open none").isFalse();
        assertThat(AllowedServers.ALL.open(InetAddress.getByName(address))).isTrue();
        assertThat(AllowedServers.ALL.allow(inUrl(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "10.0.0.1", "192.168.0.1", "172.16.0.1", "8.8.8.8", "126.255.255.255", "128.0.0.1", "1.0.0.0",
            "169.253.255.255", "169.255.0.0", "223.255.255.255", "240.0.0.1", "100.100.100.201", "168.63.129.17",
            "192.0.0.193", "fd00::1", "fd00:ec3::254", "fe7f::1", "fec0::1", "2001:db8::1", "64:ff9b::a00:1",
            "64:ff9b:1::a00:1", "2002:a00:1::1", "::ffff:10.0.0.1"})
    void any_other_address_is_open(String address) throws UnknownHostException {
        assertThat(AllowedServers.UNRESERVED.open(InetAddress.getByName(address))).isTrue();
        assertThat(AllowedServers.UNRESERVED.allow(inUrl(address))).isTrue();
    }

    @Test
    void an_ipv4_address_in_the_bytes_of_ipv6_is_the_ipv4_address() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1};
        assertThat(ReservedAddresses.reached(mapped)).containsExactly(127, 0, 0, 1);
    }

    // The JDK's client and OkHttp read some of these as addresses, and the C library reads the others.
    @ParameterizedTest
    @ValueSource(strings = {
            "2130706433", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0x7F.0.0.1", "0177.0.0.1", "017700000001",
            "127.0.0.1.", "127.0.0.01", "127.0.0.256", "1.2.3.4.5", "example.1", "example.0x1", "0x", "[fe80::1%eth0]",
            "[::1%25lo]", "localhost", "LOCALHOST", "localhost.", "a.localhost"})
    void a_host_that_libraries_read_differently_is_refused(String host) {
        assertThat(AllowedServers.UNRESERVED.allow(host)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"api.example.com", "api.example.com.", "a", "1.example.com", "127.0.0.1.example.com",
            "0x7f.example", "localhost.example.com", "xn--bcher-kva.example"})
    void a_name_is_allowed(String host) {
        assertThat(AllowedServers.UNRESERVED.allow(host)).isTrue();
    }

    @ParameterizedTest(name = "{0} opens {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            127.0.0.1                      | 127.0.0.1              | true
            127.0.0.1                      | 127.0.0.2              | false
            127.0.0.1                      | ::1                    | false
            127.0.0.1                      | 64:ff9b::7f00:1        | true
            127.0.0.0/8                    | 127.0.0.2              | true
            126.0.0.0/7                    | 127.0.0.2              | false
            127.0.0.0/9                    | 127.200.0.1            | false
            [::1]                          | ::1                    | true
            a.example.com,169.254.10.0/24  | 169.254.10.1           | true
            a.example.com,169.254.10.0/24  | 169.254.169.254        | false
            localhost                      | 127.0.0.2              | true
            localhost                      | ::1                    | true
            localhost                      | 169.254.169.254        | false
            *.localhost                    | 127.0.0.1              | false
            a.example.com                  | 8.8.8.8                | true
            """)
    void a_reserved_address_is_open_if_an_entry_lies_in_its_network(String entries, String address, boolean open)
            throws UnknownHostException {
        AllowedServers servers = AllowedServers.of(Arrays.asList(entries.split(",")));
        assertThat(servers.open(InetAddress.getByName(address))).isEqualTo(open);
    }

    @Test
    void what_is_listed_is_allowed_as_a_host_too() {
        assertThat(AllowedServers.of(List.of("127.0.0.1")).allow("127.0.0.1")).isTrue();
        assertThat(AllowedServers.of(List.of("127.0.0.1")).allow("localhost")).as("another host").isFalse();
        assertThat(AllowedServers.of(List.of("localhost")).allow("localhost")).isTrue();
        assertThat(AllowedServers.of(List.of("localhost", "[::1]")).allow("[::1]")).isTrue();
        assertThat(AllowedServers.of(List.of("0.0.0.0/0")).allow("169.254.169.254")).isFalse();
    }

    private static String inUrl(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}
