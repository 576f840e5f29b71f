// SPDX-License-Identifier: Apache-2.0
/* Tests redact_text(), which replaces private parts of a text and keeps all
 * other parts. */
#include <stdlib.h>
#include <string.h>

#include "host/redact.h"
#include "tap.h"

static const struct {
	const char *what, *text, *want;
} rows[] = {
	{ "a user's name is replaced",
	    "user alice may read", "user (user) may read" },
	{ "a name in other case is replaced", "for ALICE.", "for (user)." },
	{ "a name within a word stays",
	    "malice alicea alice2", "malice alicea alice2" },
	{ "a name beside a '-' is replaced", "alice-pc", "(user)-pc" },
	{ "a name behind the kernel's escape of a line end is replaced",
	    "a\\x0aalice", "a\\x0a(user)" },
	{ "of two matching names, the longer is replaced",
	    "alice-laptop up", "(host) up" },
	{ "a name that is an ordinary word of every board stays",
	    "cix-noe-umd root", "cix-noe-umd root" },
	{ "an Ethernet address is replaced",
	    "is 00:1A:2b:3c:4d:5e.", "is (address)." },
	{ "an Ethernet address with '-' is replaced",
	    "00-1a-2b-3c-4d-5e", "(address)" },
	{ "an IPv4 address is replaced",
	    "at 192.168.1.7:80", "at (address):80" },
	{ "an IPv6 address is replaced",
	    "at fe80::1ff:fe23%eth0", "at (address)%eth0" },
	{ "IPv4 addresses within IPv6 addresses are replaced",
	    "at ::ffff:10.1.2.3, 64:ff9b::10.1.2.3.",
	    "at (address), (address)." },
	{ "an interface name with an Ethernet address is replaced",
	    "enx0a1b2c3d4e5f: up",
	    "(address): up" },
	{ "the addresses of a crash stay",
	    "ip:7f0a1b2c3d4e in x[11ec,ffff9c0a0000+1000]",
	    "ip:7f0a1b2c3d4e in x[11ec,ffff9c0a0000+1000]" },
	{ "an IPv6 address without '::' is replaced",
	    "2001:db8:0:1:2:3:4:5", "(address)" },
	{ "a mail address is replaced",
	    "by al.ice+x@mail.example, ok", "by (mail), ok" },
	{ "a UUID is replaced",
	    "{4C4C4544-0044-4a10-8036-b7c04f503432}", "{(id)}" },
	{ "32 hexadecimal digits are replaced",
	    "id 0123456789abcdef0123456789ABCDEF", "id (id)" },
	{ "a serial number after SerialNumber: is replaced",
	    "SerialNumber: AB-12/3 x", "(serial) x" },
	{ "a serial number after serial= is replaced",
	    "serial=77", "(serial)" },
	{ "a serial number after s/n is replaced", "s/n 77", "(serial)" },
	{ "a number after the word serial is replaced",
	    "serial 00c0ffee12 up", "(serial) up" },
	{ "a number after SN: or sn= is replaced, but not after sn alone",
	    "SN: AB77, sn=77 serialno=9 sn 77",
	    "(serial) (serial) (serial) sn 77" },
	{ "a folder that is reached by .. from a system folder is replaced",
	    "/usr/../srv/secret/a.cix", "(folder)/a.cix" },
	{ "folders below /dev/shm and the folder of /dev/shm are replaced",
	    "/dev/shm/secret/a.cix /dev/shm",
	    "(folder)/a.cix (folder)/shm" },
	{ "a folder below /home is replaced",
	    "/home/bob/sdk/libnoe.so: no", "(folder)/libnoe.so: no" },
	{ "a folder in quotes is replaced",
	    "'/srv/secret/a b'", "'(folder)/a b'" },
	{ "a registered folder is replaced", "my models/deep/a.cix",
	    "(folder)/a.cix" },
	{ "folders below a registered folder are replaced",
	    "my models/deep/x/y/a.cix, my models/deep/b",
	    "(folder)/a.cix, (folder)/b" },
	{ "a registered folder of one letter is replaced only before '/'",
	    "m/a.cix m", "(folder)/a.cix m" },
	{ "version numbers stay",
	    "6.1.3407.2 5.11.0 1:2.36-9+deb12u10 6.2.0.300",
	    "6.1.3407.2 5.11.0 1:2.36-9+deb12u10 6.2.0.300" },
	{ "ACPI names and PCI addresses stay",
	    "acpi:CIXH4000: CIXH4000:00 0000:01:00.0",
	    "acpi:CIXH4000: CIXH4000:00 0000:01:00.0" },
	{ "a time and a name with '::' stay", "12:34:56 noe::load std::a",
	    "12:34:56 noe::load std::a" },
	{ "a module's srcversion stays", "5A1F02E7C1D14B9E3A77210",
	    "5A1F02E7C1D14B9E3A77210" },
	{ "paths of the system stay",
	    "/usr/share/cix/lib/libnoe.so /dev/aipu /usr",
	    "/usr/share/cix/lib/libnoe.so /dev/aipu /usr" },
	{ "a user's name in a path of the system is replaced",
	    "/usr/lib/alice/x",
	    "/usr/lib/(user)/x" },
	{ "words with '/' that are not paths stay",
	    "and/or 1/2 / x", "and/or 1/2 / x" },
	{ "the word serial without a number stays",
	    "serial port, serial", "serial port, serial" },
	{ "numbers with dots that are not IPv4 addresses stay",
	    "1.2.3 10.20.30.400",
	    "1.2.3 10.20.30.400" },
	{ "an empty text stays empty", "", "" },
	{ "a name behind another escape stays", "\\u0aalice", "\\u0aalice" },
	{ "a folder of one letter at the end of a text stays", "in m", "in m" },
	{ "a text that is only a registered folder is replaced",
	    "m", "(folder)" },
	{ "a registered folder at the end of a text is replaced",
	    "in my models/deep", "in (folder)" },
	{ "a registered folder before ':' is replaced",
	    "my models/deep: no", "(folder): no" },
	{ "a relative path stays", "./srv/x/y", "./srv/x/y" },
	{ "five numbers with dots stay",
	    "1.2.3.4.5 1.2.3.4.x", "1.2.3.4.5 (address).x" },
	{ "four numbers with dots and a letter stay", "1.2.3.4a", "1.2.3.4a" },
	{ "an Ethernet address with one more letter stays",
	    "00-1a-2b-3c-4d-5ex",
	    "00-1a-2b-3c-4d-5ex" },
	{ "interface names without a complete address stay",
	    "enx0a1b enx0a1b2c3d4e5fz "
	    "enx0a1b2c3d4e5g", "enx0a1b enx0a1b2c3d4e5fz enx0a1b2c3d4e5g" },
	{ "an IPv4 address in an IPv6 address at the end is replaced",
	    "::ffff:10.1.2.3", "(address)" },
	{ "an IPv6 network is replaced", "net fe80:: up", "net (address) up" },
	{ "an IPv6 address may end with a hexadecimal letter, not with another "
	    "letter", "fe80::a fe80::1z",
	    "(address) fe80::1z" },
	{ "a mail address at the end of a text is replaced",
	    "by a@b-c.example", "by (mail)" },
	{ "a mail address without a host stays", "a@ x", "a@ x" },
	{ "a serial number at the end of a text is replaced",
	    "serial 00c0ffee12", "(serial)" },
	{ "a serial number in quotes is replaced",
	    "\"serial: 12\"", "\"(serial)\"" },
	{ "the word serial: without a number stays", "serial: ", "serial: " },
	{ "32 hexadecimal digits before another letter stay",
	    "0123456789abcdef0123456789abcdefz",
	    "0123456789abcdef0123456789abcdefz" },
};

static void
check(const struct redact *p, const char *text, const char *want,
    const char *what)
{
	struct buf out = { 0 };

	redact_text(p, text, strlen(text), &out);
	buf_add(&out, "", 1);
	if (!ok(!out.failed && strcmp(out.p, want) == 0, "%s", what))
		diag("'%s'", out.p);
	buf_free(&out);
}

int
main(void)
{
	static const char nul[] = "al\0e@\0 serial\0x serial=\0";
	struct redact p = { 0 };
	struct buf out = { 0 };

	redact_add(&p, "alice", "(user)");
	redact_add(&p, "alice-laptop", "(host)");
	redact_add(&p, "x", "(user)");
	redact_add(&p, "CIX", "(host)");
	redact_add_folder(&p, "my models/deep/");
	redact_add_folder(&p, "m");
	redact_add_folder(&p, "..");
	redact_add_folder(&p, "/usr/share");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(&p, rows[i].text, rows[i].want, rows[i].what);
	redact_text(&p, nul, sizeof(nul) - 1, &out);
	ok(out.n == sizeof(nul) - 1 && memcmp(out.p, nul, out.n) == 0,
	    "incomplete mail addresses and serial numbers before a NUL stay");
	buf_free(&out);
	redact_add_folder(&p, "///");
	redact_add_folder(&p, "");
	ok(p.n == 4 && !p.failed,
	    "folders without a name, or of the system, are not registered");
	redact_free(&p);
	return done();
}
