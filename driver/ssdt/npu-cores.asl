/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ids of the NPU's cores, for firmware that has the devices CRE0 to CRE2
 * below \_SB.NPU0 but gives them none, so that Linux makes no platform device
 * of them and the driver finds none (early firmware of the Minisforum MS-R1).
 *
 * Each is added only where the device is there and has no id, so that after an
 * update of the firmware this table does nothing.
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
