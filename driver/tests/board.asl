/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NPU's part of a board's DSDT: with core devices that have no id, or, with
 * -D, with one core that has an id (CRE1_HID) or without cores (NO_CORES).
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
