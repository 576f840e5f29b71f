/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the templates in completion/, generated from these files. */
#ifndef CMD_COMPLETION_TEMPLATES_H
#define CMD_COMPLETION_TEMPLATES_H

/* program.bash */
extern const char completion_bash_begin[], completion_bash_end[];

/* program.zsh */
extern const char completion_zsh_models[];
extern const char completion_zsh_begin[], completion_zsh_end[];

/* program.fish */
extern const char completion_fish_models[], completion_fish_operand[];
extern const char completion_fish_alike[];
extern const char completion_fish_count[], completion_fish_test[];
extern const char completion_fish_end[];

#endif
