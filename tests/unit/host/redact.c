// SPDX-License-Identifier: Apache-2.0
/* Private parts are removed from a text, and all other parts stay. */
#include <stdlib.h>
#include <string.h>

#include "host/redact.h"
#include "tap.h"

static const struct {
	const char *what, *text, *want;
} rows[] = {
	{ "a user", "user alice may read", "user (user) may read" },
	{ "in another case", "for ALICE.", "for (user)." },
	{ "within a word", "malice alicea alice2", "malice alicea alice2" },
	{ "beside a '-'", "alice-pc", "(user)-pc" },
	{ "behind the kernel's escape", "a\\x0aalice", "a\\x0a(user)" },
	{ "the longest counts", "alice-laptop up", "(host) up" },
	{ "a word of every board", "cix-noe-umd root", "cix-noe-umd root" },
	{ "Ethernet", "is 00:1A:2b:3c:4d:5e.", "is (address)." },
	{ "Ethernet with '-'", "00-1a-2b-3c-4d-5e", "(address)" },
	{ "IPv4", "at 192.168.1.7:80", "at (address):80" },
	{ "IPv6", "at fe80::1ff:fe23%eth0", "at (address)%eth0" },
	{ "IPv4 in IPv6", "at ::ffff:10.1.2.3, 64:ff9b::10.1.2.3.",
	    "at (address), (address)." },
	{ "Ethernet without signs", "enx0a1b2c3d4e5f: up",
	    "(address): up" },
	{ "where it crashed", "ip:7f0a1b2c3d4e in x[11ec,ffff9c0a0000+1000]",
	    "ip:7f0a1b2c3d4e in x[11ec,ffff9c0a0000+1000]" },
	{ "IPv6 in full", "2001:db8:0:1:2:3:4:5", "(address)" },
	{ "mail", "by al.ice+x@mail.example, ok", "by (mail), ok" },
	{ "a UUID", "{4C4C4544-0044-4a10-8036-b7c04f503432}", "{(id)}" },
	{ "32 digits", "id 0123456789abcdef0123456789ABCDEF", "id (id)" },
	{ "a serial number", "SerialNumber: AB-12/3 x", "(serial) x" },
	{ "serial=", "serial=77", "(serial)" },
	{ "S/N", "s/n 77", "(serial)" },
	{ "serial and a number", "serial 00c0ffee12 up", "(serial) up" },
	{ "SN", "SN: AB77, sn=77 serialno=9 sn 77",
	    "(serial) (serial) (serial) sn 77" },
	{ "around by ..", "/usr/../srv/secret/a.cix", "(folder)/a.cix" },
	{ "in memory", "/dev/shm/secret/a.cix /dev/shm",
	    "(folder)/a.cix (folder)/shm" },
	{ "a home", "/home/bob/sdk/libnoe.so: no", "(folder)/libnoe.so: no" },
	{ "in quotes", "'/srv/secret/a b'", "'(folder)/a b'" },
	{ "a folder of the user's", "my models/deep/a.cix",
	    "(folder)/a.cix" },
	{ "what is below it", "my models/deep/x/y/a.cix, my models/deep/b",
	    "(folder)/a.cix, (folder)/b" },
	{ "a short one", "m/a.cix m", "(folder)/a.cix m" },
	{ "versions", "6.1.3407.2 5.11.0 1:2.36-9+deb12u10 6.2.0.300",
	    "6.1.3407.2 5.11.0 1:2.36-9+deb12u10 6.2.0.300" },
	{ "names of ACPI", "acpi:CIXH4000: CIXH4000:00 0000:01:00.0",
	    "acpi:CIXH4000: CIXH4000:00 0000:01:00.0" },
	{ "a time, a function of C++", "12:34:56 noe::load std::a",
	    "12:34:56 noe::load std::a" },
	{ "a module's version", "5A1F02E7C1D14B9E3A77210",
	    "5A1F02E7C1D14B9E3A77210" },
	{ "the system's paths", "/usr/share/cix/lib/libnoe.so /dev/aipu /usr",
	    "/usr/share/cix/lib/libnoe.so /dev/aipu /usr" },
	{ "a user below a system's path", "/usr/lib/alice/x",
	    "/usr/lib/(user)/x" },
	{ "no paths", "and/or 1/2 / x", "and/or 1/2 / x" },
	{ "a serial port", "serial port, serial", "serial port, serial" },
	{ "five digits between dots", "1.2.3 10.20.30.400",
	    "1.2.3 10.20.30.400" },
	{ "nothing", "", "" },
	{ "another escape", "\\u0aalice", "\\u0aalice" },
	{ "a short folder at the end", "in m", "in m" },
	{ "a short folder alone", "m", "(folder)" },
	{ "a folder at the end", "in my models/deep", "in (folder)" },
	{ "a folder and a sign", "my models/deep: no", "(folder): no" },
	{ "a relative path", "./srv/x/y", "./srv/x/y" },
	{ "five parts", "1.2.3.4.5 1.2.3.4.x", "1.2.3.4.5 (address).x" },
	{ "four parts and a letter", "1.2.3.4a", "1.2.3.4a" },
	{ "Ethernet with a letter more", "00-1a-2b-3c-4d-5ex",
	    "00-1a-2b-3c-4d-5ex" },
	{ "an interface of another name", "enx0a1b enx0a1b2c3d4e5fz "
	    "enx0a1b2c3d4e5g", "enx0a1b enx0a1b2c3d4e5fz enx0a1b2c3d4e5g" },
	{ "IPv4 in IPv6 at the end", "::ffff:10.1.2.3", "(address)" },
	{ "a network", "net fe80:: up", "net (address) up" },
	{ "a last digit above 9", "fe80::a fe80::1z",
	    "(address) fe80::1z" },
	{ "mail at the end", "by a@b-c.example", "by (mail)" },
	{ "no host", "a@ x", "a@ x" },
	{ "a serial number at the end", "serial 00c0ffee12", "(serial)" },
	{ "a serial number in quotes", "\"serial: 12\"", "\"(serial)\"" },
	{ "no serial number", "serial: ", "serial: " },
	{ "32 digits and a letter", "0123456789abcdef0123456789abcdefz",
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
	    "a NUL ends no mail and no serial number");
	buf_free(&out);
	redact_add_folder(&p, "///");
	redact_add_folder(&p, "");
	ok(p.n == 4 && !p.failed, "what is no secret is not kept");
	redact_free(&p);
	return done();
}
