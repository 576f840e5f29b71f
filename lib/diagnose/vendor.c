// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "diagnose/vendor.h"

/*
 * The module's names, its messages, the device's names in a device tree and in
 * ACPI, the IOMMU's name for the device's stream, 0x1e, our own programs in
 * lines where the kernel ends them (kernel-driver 1, 4), and the message of a
 * locked-down kernel about a module that it does not name
 * (security/security.c).
 */
const char *const vendor_log_words[] = {
	"aipu", "armchina", "zhouyi", "npu", "14260000", "CIXH4000",
	"CIXH4010", "0x0000001e000000", "unsigned module loading", NULL
};

/* Packages of the vendor (cix-noe-umd, cix-npu-umd, cix-npu-onnxruntime), of
 * board makers, of the drivers, and of kernels for the chip. */
const char *const vendor_packages[] = {
	"cix-*", "*-cix", "*-cix-*", "*-sky1*", "noe-*", "npu-*", "*-noe-*",
	"*-npu-*", "*aipu*", "*armchina*", NULL
};

/* Board names in firmware or device tree. */
const char *const vendor_boards[] = {
	"Orion O6", "Orange Pi 6", "OrangePi 6", "MS-R1", "CIX ", NULL
};
