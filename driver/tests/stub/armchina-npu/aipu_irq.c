// SPDX-License-Identifier: GPL-2.0-only
/* An interrupt without a thread, requested as if it had a thread. */

#include <linux/interrupt.h>
#include "stub.h"

static irqreturn_t
aipu_irq_handler_upper_half(int irq, void *dev_id)
{
	return IRQ_NONE;
}

int
aipu_irq_init(struct stub *stub)
{
	int ret;

	if (stub->irq <= 0)
		return 0;
	ret = request_irq(stub->irq, aipu_irq_handler_upper_half,
			  IRQF_ONESHOT | IRQF_SHARED | IRQF_PROBE_SHARED,
			  "aipu", stub);
	if (ret)
		dev_err(stub->mm.dev, "no interrupt %d: %d\n", stub->irq, ret);
	return ret;
}

void
aipu_irq_exit(struct stub *stub)
{
	if (stub->irq > 0)
		free_irq(stub->irq, stub);
}
