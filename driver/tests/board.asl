/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A board's DSDT, as far as the NPU goes: with core devices that have no id,
 * or, by -D, one that has (CRE1_HID) or none of them (NO_CORES).
 */
DefinitionBlock ("", "DSDT", 2, "TESTER", "BOARD", 1)
{
	Scope (\_SB)
	{
		Device (NPU0)
		{
			Name (_HID, "CIXH4000")
#ifndef NO_CORES
			Device (CRE0)
			{
				Name (_ADR, 0)
			}
			Device (CRE1)
			{
#ifdef CRE1_HID
				Name (_HID, "CIXH4011")
#else
				Name (_ADR, 1)
#endif
			}
			Device (CRE2)
			{
				Name (_ADR, 2)
			}
#endif
		}
	}
}
