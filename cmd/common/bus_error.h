/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_BUS_ERROR_H
#define CMD_BUS_ERROR_H

/* From now on, ends the program with a message and status 1 if a mapped file
 * becomes shorter while it is read (SIGBUS). */
void cmd_catch_bus_error(void);

#endif
