-- SPDX-License-Identifier: Apache-2.0
-- For wrk: requests the vector for a text.  Prints how many requests were
-- answered, and how many answers differ from the file that ANSWER names.
wrk.method = "POST"
wrk.body = '{"model":"clip","input":"a cat"}'
wrk.headers["Content-Type"] = "application/json"

local threads = {}

function setup(thread)
	table.insert(threads, thread)
end

function init()
	local file = io.open(os.getenv("ANSWER"), "rb")

	want = file:read("*a")
	file:close()
	wrong = 0
end

function response(status, _, body)
	if status ~= 200 or body ~= want then
		wrong = wrong + 1
	end
end

function done(summary)
	local e, n = summary.errors, 0

	for _, thread in ipairs(threads) do
		n = n + thread:get("wrong")
	end
	print("answers", summary.requests)
	print("wrong", n + e.status + e.connect + e.read + e.write + e.timeout)
end
