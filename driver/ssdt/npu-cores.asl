/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds the ids of the NPU's cores, for firmware that has the devices CRE0 to
 * CRE2 below \_SB.NPU0 without ids (early firmware of the Minisforum MS-R1).
 * Without ids Linux does not create platform devices for them, and the driver
 * does not find the cores.
 *
 * An id is added only if the device exists and has no id.  Therefore this table
 * does nothing after an update of the firmware adds the ids.
 */
DefinitionBlock ("", "SSDT", 2, "NPUKMD", "NPUCORES", 1)
{
	External (\_SB.NPU0.CRE0, DeviceObj)
	External (\_SB.NPU0.CRE1, DeviceObj)
	External (\_SB.NPU0.CRE2, DeviceObj)
	External (\_SB.NPU0.CRE0._HID)
	External (\_SB.NPU0.CRE1._HID)
	External (\_SB.NPU0.CRE2._HID)

	If (CondRefOf (\_SB.NPU0.CRE0))
	{
		If (!CondRefOf (\_SB.NPU0.CRE0._HID))
		{
			Scope (\_SB.NPU0.CRE0)
			{
				Name (_HID, "CIXH4010")
			}
		}
	}
	If (CondRefOf (\_SB.NPU0.CRE1))
	{
		If (!CondRefOf (\_SB.NPU0.CRE1._HID))
		{
			Scope (\_SB.NPU0.CRE1)
			{
				Name (_HID, "CIXH4010")
			}
		}
	}
	If (CondRefOf (\_SB.NPU0.CRE2))
	{
		If (!CondRefOf (\_SB.NPU0.CRE2._HID))
		{
			Scope (\_SB.NPU0.CRE2)
			{
				Name (_HID, "CIXH4010")
			}
		}
	}
}
