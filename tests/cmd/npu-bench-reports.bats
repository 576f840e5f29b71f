# SPDX-License-Identifier: Apache-2.0
# The reports of npu-bench about runs whose statistics are known by definition.
# mkbench makes these runs.  In the case ramp, infer takes 1 to 662 ms, create 2
# ms, put 0.5 ms, get 100 ns and clean nothing: e2e takes 2.5001 ms more than
# infer.
# bats file_tags=slow

load ../support/helper

setup() {
	CASES=$(mkbench)
	[ "$(wc -l <<<"$CASES")" -eq 21 ]
}

# json CASE FILTER [FORMAT]: applies jq's FILTER to the document of CASE.
json() {
	mkbench "$1" "${3:-json}" >json.out || echo "mkbench: status $?"
	jq -c "$2" json.out
}

# table CASE FORMAT: writes the report to text.txt, and prints it with single
# blanks.
table() {
	mkbench "$1" "$2" >text.txt
	tr -s ' ' <text.txt | sed 's/ $//'
}

# line TEXT: text.txt has this line, with any number of blanks between words.
line() {
	tr -s ' ' <text.txt | grep -Fx -- "$1" || {
		cat text.txt
		return 1
	}
}

# rows FILE: writes the records of a CSV file to got as Python reads them, with
# tabs between fields.  Control characters, backslashes and bytes outside ASCII
# are written as escapes.
rows() {
	/usr/bin/python3 -c '
import csv, sys
f = open(sys.argv[1], encoding="latin-1", newline="")
for row in csv.reader(f, strict=True):
	print("\t".join(x.encode("unicode_escape").decode() for x in row))
' "$1" >got
}

# ---- JSON ----------------------------------------------------------------

@test "each case gives one JSON document, with and without an error" {
	for c in $CASES; do
		for format in json failed; do
			mkbench "$c" "$format" >json.out
			[ "$(jq -s length json.out)" -eq 1 ]
			[ "$(jq -r .schema json.out)" = npu-bench/1 ]
		done
	done
}

@test "the document has all its members, even if their values are unknown" {
	top='["schema","npu_utils","argv","time","host","model","models",'
	top+='"scenario","inflight","processes","plan","warmup","cpu","mem",'
	top+='"energy","energy_reason","runs","together","warnings","verdict","error"]'
	run='["config","run","process","side","model","library","libnoe",'
	run+='"driver","scenario","inflight","rate","per_query","n","failed",'
	run+='"failed_reason","failed_before","left","full","wall_ms","throughput",'
	run+='"inverse_latency","gops","peak_pct","init_ms","load_ms","first_ms",'
	run+='"first_infer_ms","warmup","clock_ns","floor_ms","stages","cpu",'
	run+='"holder","mem","energy","energy_reason","temps","freqs",'
	run+='"bound_kept","rate_low","rate_high","trials","checksum","ref_cosine","ref_max_error",'
	run+='"warnings","error"]'
	stages='["create","put","infer","get","clean","e2e","query"]'
	for c in $CASES; do
		[ "$(json "$c" "keys_unsorted == $top")" = true ]
		# A name that is not UTF-8 adds a member.
		[ "$(jq -c "[.runs[] | del(.invalid_utf8) | keys_unsorted ==
		    $run] | all" json.out)" = true ]
		[ "$(jq -c "[.runs[].stages | keys_unsorted == $stages] |
		    all" json.out)" = true ]
	done
}

@test "unknown values are null" {
	[ "$(json zero '.runs[0] | .n, .wall_ms, .throughput, .init_ms,
	    .load_ms, .first_ms, .rate, .side, .stages.infer, .stages.e2e,
	    .cpu.self_cores, .cpu.system_pct, .mem.hwm_kib, .energy,
	    .energy_reason, .checksum, .ref_cosine, .library' |
	    paste -sd ' ')" = "0$(printf ' null%.0s' {1..17})" ]
	[ "$(json zero '.host[] // empty')" = "" ]
	[ "$(json zero '.model.sha256, .cpu.system_pct, .energy, .verdict' |
	    paste -sd ' ')" = 'null null null null' ]
	[ "$(json none '.model, .models, .scenario, .inflight, .warmup.n,
	    .runs' | paste -sd ' ')" = 'null [] null null null []' ]
	[ "$(json nan '.time, .host.temp_c_start, .runs[0].throughput,
	    .runs[0].temps[0].first_c, .runs[0].temps[0].last_c,
	    .runs[0].freqs[0].max_mhz, .runs[0].energy' |
	    paste -sd ' ')" = 'null null null null null null null' ]
}

@test "JSON: the statistics of 1 to 662 ms" {
	[ "$(json ramp '.runs[0].stages.infer | .n, .mean_ms, .min_ms,
	    .median_ms, .mad_ms, .max_ms, .first_ms' | paste -sd ' ')" = \
	    '662 331.5 1 331.5 165.5 662 1' ]
	# Ranks ceil(p / 100 * 662): 331, 595.8, 628.9, 655.38.
	[ "$(jq -c '.runs[0].stages.infer | .p50_ms, .p90_ms, .p95_ms,
	    .p99_ms, .p99_ucb_ms, .p999_ms, .p999_ucb_ms, .p999_need_n' \
	    json.out | paste -sd ' ')" = \
	    '331 596 629 656 662 null null 6636' ]
	# The variance is n (n + 1) / 12.
	[ "$(jq -c '.runs[0].stages.infer | .sd_ms * .sd_ms - 662 * 663 / 12 |
	    fabs < 1e-6' json.out)" = true ]
	[ "$(jq '.runs[0].stages.e2e | .min_ms, .max_ms' json.out |
	    paste -sd ' ')" = '3.5001 664.5001' ]
	[ "$(jq -c '.runs[0].stages.create | .p50_ms, .p99_ucb_ms, .sd_ms' \
	    json.out | paste -sd ' ')" = '2 2 0' ]
	[ "$(jq '.runs[0].stages.infer.histogram | (.counts | add) + .below +
	    .above' json.out)" = 662 ]
	[ "$(jq '.runs[0].stages.infer.histogram | (.edges_ms | length) -
	    (.counts | length)' json.out)" = 1 ]
	[ "$(jq '.runs[0] | .init_ms, .load_ms, .first_ms, .first_infer_ms,
	    .warmup.n, .warmup.ms, .cpu.self_cores, .mem.hwm_kib,
	    .checksum' json.out | paste -sd ' ')" = \
	    '3 40 50 45 5 600 0.25 20480 "fedcba9876543210"' ]
	[ "$(jq -c .time json.out)" = '"2001-09-09T01:46:40Z"' ]
	grep -Fx '    "most_n": 1000000,' json.out
}

@test "the upper bound of a percentile is an order statistic" {
	# 200 samples: t = 3 for the 95th percentile (the table of LoadGen's
	# formula has 165 for t = 2, 259 for t = 5).  The bound is the 198th
	# sample.
	[ "$(json few '.runs[0].stages.infer | .p95_ms, .p95_ucb_ms, .p99_ms,
	    .p99_ucb_ms, .p99_need_n' | paste -sd ' ')" = \
	    '190 198 null null 662' ]
	# Of a single sample, only its own value is known.
	[ "$(json one '.runs[0].stages.infer | .n, .mean_ms, .sd_ms, .p50_ms,
	    .p50_need_n, .drift, .cov' | paste -sd ' ')" = \
	    '1 1 null null 11 null null' ]
}

@test "times below 50 times the clock's cost are null, or < in the table" {
	# 50 times 25 ns is 0.00125 ms.
	[ "$(json ramp '.runs[0] | .clock_ns, .floor_ms' | paste -sd ' ')" = \
	    '25 0.00125' ]
	[ "$(jq -c '.runs[0].stages | (.get, .clean) | .n, .mean_ms, .min_ms,
	    .median_ms, .max_ms, .p50_ms, .p50_ucb_ms' json.out |
	    paste -sd ' ')" = "662$(printf ' null%.0s' {1..6}) 662$(
	    printf ' null%.0s' {1..6})" ]
	table ramp text >/dev/null
	line 'get <0.002 - <0.002 <0.002 <0.002 <0.002 <0.002 - <0.002'
	[ "$(json one '.runs[0] | .init_ms, .load_ms' | paste -sd ' ')" = \
	    'null 0.00125' ]
	table one text >/dev/null
	grep -F 'init <0.00125 ms, load 0.00125 ms' text.txt
	mkbench ramp csv >r.csv
	rows r.csv
	[ "$(awk -F '\t' '$9 == "get" { print $10 "|" $11 "|" $14 }' got)" = '662||' ]
}

@test "names of any bytes are preserved, without control characters in text" {
	[ "$(json hostile .argv)" = '["npu-bench","--json","a\"b.cix"]' ]
	name='"say \"x\",\r\n\t\u001b[31m\\|ÿé.cix"'
	[ "$(jq -c ".runs[0].model == $name" json.out)" = true ]
	[ "$(jq -c ".models[0].path == $name" json.out)" = true ]
	[ "$(jq -c '[.models[0], .runs[0]] | map(.invalid_utf8)' json.out)" = \
	    '[true,true]' ]
	[ "$(jq -c '.runs[0].energy_reason, .runs[0].holder' json.out)" = \
	    $'"no\\n\\"sensor\\""\n"ÿ\\"\\n (7)"' ]
	mkbench hostile csv >r.csv
	mkbench hostile samples >s.csv
	name='say "x",\r\n\t\x1b[31m\\|\xff\xc3\xa9.cix'
	for f in r.csv s.csv; do
		rows "$f"
		[ "$(tail -n +2 got | cut -f 1 | uniq)" = "$name" ]
	done
	mkbench hostile tsv >got
	run -1 grep -P '[\x00-\x08\x0b-\x1f\x7f]' got
	[ "$(awk -F '\t' '{ print NF }' got | uniq)" = \
	    "$(rows r.csv; awk -F '\t' '{ print NF }' got | uniq)" ]
	mkbench ramp tsv | diff <(mkbench ramp csv | tr , '\t') -
	for format in text all; do
		mkbench hostile "$format" >text.txt
		run -1 grep -P '[\x00-\x09\x0b-\x1f\x7f]' text.txt
		grep -F '.cix' text.txt
	done
}

@test "after a failure, the document is complete and has an error" {
	[ "$(json zero '.error.message, .error.status, .runs[0].error,
	    .runs[0].n' failed | paste -sd ' ')" = '"it'"'"'s \"over\"\n" 1 {'\
'"message":"no such\ndevice","status":3} 0' ]
	[ "$(json ramp '.error, .runs[0].error')" = $'null\nnull' ]
	[ "$(json ramp .argv failed)" = '["npu-bench","--json","a\"b.cix"]' ]
}

@test "JSON of several runs: each run, and null for values that differ" {
	[ "$(json sweep '.inflight, .scenario, .model.path' | paste -sd ' ')" \
	    = 'null "offline" "clip_txt.cix"' ]
	[ "$(jq -c '[.runs[] | [.config, .inflight]]' json.out)" = \
	    '[[0,1],[1,2]]' ]
	[ "$(json sides '.model, (.models | map(.path)), (.runs | map(.side))')" \
	    = $'null\n["a.cix","b.cix"]\n["A","B","B","A"]' ]
	# The runs have 5, 6 and 7 W; the processors' median use is 12.5 %.
	[ "$(json runs '.cpu.system_pct, (.runs | map(.energy.mean_w))')" = \
	    $'12.5\n[5,6,7]' ]
}

@test "--together: the throughput is all inferences over the common time" {
	[ "$(json together '.together[0] | .processes, .completed, .wall_ms,
	    .throughput' | paste -sd ' ')" = '2 190 950 200' ]
	[ "$(json runs .together)" = '[]' ]
}

@test "multi-stream: a query takes as long as its longest inference" {
	[ "$(json queries '.runs[0] | .per_query, .stages.query.n,
	    .stages.query.p50_ms, .stages.e2e.p50_ms, .stages.query.p95_ms' |
	    paste -sd ' ')" = '8 80 80 10 null' ]
	[ "$(json ramp '.runs[0] | .per_query, .stages.query' |
	    paste -sd ' ')" = 'null null' ]
}

@test "server: latency counts from the arrival and includes waiting" {
	[ "$(json server '.runs[0] | .rate, .stages.query.n,
	    .stages.query.p99_ucb_ms, .bound_kept, .rate_low, .rate_high,
	    .trials' | paste -sd ' ')" = '50.5 700 15 true 50.5 54 '\
'[{"rate":25.25,"n":700,"late":1,"throughput":24.75,"latency_ms":15,'\
'"met":true},{"rate":101,"n":10,"late":8,"throughput":60.5,'\
'"latency_ms":null,"met":false}]' ]
	[ "$(json late '.runs[0] | .bound_kept, .left, .failed,
	    .failed_reason' | paste -sd ' ')" = \
	    'false 1 1 "no answer\u001b[1m"' ]
	[ "$(json ramp '.runs[0] | .bound_kept, .rate_low, .rate_high' |
	    paste -sd ' ')" = 'null null null' ]
}

@test "the energy of an inference, in total and above idle; temperatures" {
	# 6 W, 2 W when idle, an inference in 334.0001 ms; 1000 J.
	[ "$(json runs '.runs[1].energy | .sensors, .gross_j, (.net_j * 3 |
	    round), (.gross_j_per_inference * 1e6 | round),
	    (.net_j_per_inference * 1e6 | round)' | paste -sd ' ')" = \
	    '"vdd" 1000 2000 2004001 1336000' ]
	[ "$(jq -c '.runs[1] | .temps, .freqs' json.out)" = \
	    '[{"name":"soc","first_c":40,"last_c":44,"min_c":39,"mean_c":42,'\
'"max_c":45}]
[]' ]
	[ "$(json ramp '.runs[0].energy, .runs[0].energy_reason, .energy' |
	    paste -sd ' ')" = 'null "no sensor" null' ]
}

@test "a verdict includes the metrics that were left out" {
	[ "$(json sides '.verdict | .result, .against, (.metrics[] | .metric,
	    .result, .change, .bound, .limit, .at_least, .why)' |
	    paste -sd ' ')" = '"regression" "A against B" "infer p50" '\
'"regression" 0.075 0.061 0.05 true null "infer p99 ucb" "left out" null '\
'null null false "662 samples are wanted"' ]
	[ "$(json ramp .verdict)" = null ]
}

# ---- CSV and samples -----------------------------------------------------

@test "CSV: a row for each stage, with the same numbers as JSON" {
	mkbench ramp csv >r.csv
	rows r.csv
	[ "$(cut -f 1-10 got | tail -n +2)" = "$(
	    for s in init:1 load:1 first:1 create:662 put:662 infer:662 \
	    get:662 clean:662 e2e:662; do
		printf 'clip_txt.cix\t0\t0\t0\t\tsingle-stream\t1\t\t%s\t%s\n' \
		    "${s%:*}" "${s#*:}"
	done)" ]
	[ "$(awk -F '\t' '{ print NF }' got | uniq)" = 40 ]
	[ "$(awk -F '\t' '
	    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	    $9 == "infer" { print $at["mean_ms"], $at["p50_ms"],
		$at["p99_ucb_ms"], $at["max_ms"], $at["p999_ms"] "-",
		$at["failed"] }
	    $9 == "load" { print $at["mean_ms"], $at["p50_ms"] "-" }' got)" = \
	    $'40 -\n331.5 331 662 662 - 0' ]
	mkbench sides csv >r.csv
	rows r.csv
	[ "$(awk -F '\t' '$9 == "e2e" { print $1, $3, $5 }' got)" = \
	    $'a.cix 0 A\nb.cix 0 B\nb.cix 1 B\na.cix 1 A' ]
}

# 662 samples of 334.0001 ms each, of 10^12 operations; the peak is 4 * 10^12.
@test "operations: GOPS are their number times the throughput" {
	table operations text
	line 'operations 1.00 T an inference, 2994 GOPS, 74.85% of the peak of 4.00 T a second'
	json operations '.plan.ops, .plan.peak_ops, (.runs[0] |
	    .gops, .peak_pct | . * 1000 | round)' >got
	printf '%s\n' 1000000000000 4000000000000 2994011 74850 | diff got -
	mkbench operations csv >r.csv
	rows r.csv
	[ "$(awk -F '\t' 'NR > 1 { printf "%.3f %.3f\n", $39, $40 }' got |
	    uniq)" = "2994.011 74.850" ]
	table ramp text
	run -1 grep '^operations' text.txt
	[ "$(json ramp '.plan.ops, .plan.peak_ops, .runs[0].gops,
	    .runs[0].peak_pct' | paste -sd ' ')" = \
	    "null 28800000000000 null null" ]
}

@test "operations: processes that run together have a common number" {
	table shared text
	line 'together 200.00/s by 2 processes, while all measured, 2000 GOPS, 50% of the peak'
	[ "$(json shared '.together[0] | .gops, .peak_pct' |
	    paste -sd ' ')" = "2000 50" ]
	mkbench shared all | tr -s ' ' >text.txt
	line 'operations 10.0 G an inference, 1000 GOPS, 25% of the peak of 4.00 T a second'
}

@test "operations: configurations side by side have columns for them" {
	table sweep-operations text
	line 'ms scenario j runs infer p50 e2e p50 e2e p99 ucb cores inf/s sd % GOPS peak %'
	line 'clip_txt.cix offline 1 1 331.000 333.500 664.500 0.250 2.99 - 2994 74.85'
}

@test "CSV: the rows of a server have its rate" {
	mkbench server csv >r.csv
	rows r.csv
	[ "$(cut -f 6-8 got | tail -n +2 | uniq)" = \
	    $'server\t1\t50.5' ]
}

@test "CSV: a failed run has empty fields" {
	mkbench zero csv >r.csv
	rows r.csv
	[ "$(cut -f 9-15 got | tail -n +2)" = \
	    $'init\t0\t\t\t\t\t\nload\t0\t\t\t\t\t\nfirst\t0\t\t\t\t\t' ]
	mkbench none csv >r.csv
	[ "$(wc -l <r.csv)" -eq 1 ]
}

@test "--samples: a line for each sample, in whole nanoseconds" {
	mkbench sides samples >s.csv
	[ "$(wc -l <s.csv)" -eq $((1 + 4 * 662)) ]
	[ "$(head -n 1 s.csv)" = "model,config,run,process,side,index,due_ns,\
begin_ns,end_ns,create_ns,put_ns,infer_ns,get_ns,clean_ns" ]
	[ "$(sed -n '2p;3p' s.csv)" = \
	    'a.cix,0,0,0,A,0,0,0,3500100,2000000,500000,1000000,100,0
a.cix,0,0,0,A,1,3500100,3500100,8000200,2000000,500000,2000000,100,0' ]
	[ "$(tail -n 1 s.csv | cut -d , -f 1-6)" = a.cix,0,1,0,A,661 ]
	# With several runs, all samples of a process come before the samples of
	# the next.
	[ "$(cut -d , -f 1,3,5 s.csv | tail -n +2 | uniq -c | tr -s ' ')" = \
	    ' 662 a.cix,0,A
 662 b.cix,0,B
 662 b.cix,1,B
 662 a.cix,1,A' ]
}

# ---- Text ----------------------------------------------------------------

@test "text: a row for each stage, and percentiles with enough samples" {
	table ramp text
	line 'ms mean sd min p50 p90 p95 p99 p99.9 max'
	line 'create 2.000 0.000 2.000 2.000 2.000 2.000 2.000 - 2.000'
	line 'put 0.500 0.000 0.500 0.500 0.500 0.500 0.500 - 0.500'
	# sd: sqrt(662 * 663 / 12).
	line 'infer 331.500 191.247 1.000 331.000 596.000 629.000 656.000 - '\
'662.000'
	line 'e2e 334.000 191.247 3.500 333.500 598.500 631.500 658.500 - '\
'664.500'
	line 'ms value ucb 95% from to needs n'
	grep -E '^infer +p99 +656\.000 +662\.000 +[0-9.]+ +[0-9.]+ +662$' \
	    text.txt
	grep -E '^e2e +p99\.9 +- +- +[0-9.]+ +- +6636$' text.txt
	line 'samples 662 in 221.108 s, after 5 to warm up'
	line 'throughput 2.99/s, measured; 1 / mean of e2e is 2.99/s'
	line 'first 50.000 ms cold, of which infer 45.000 ms; init 3.0000 ms, '\
'load 40.000 ms'
	line 'memory 20.0 MiB at most, without the samples'
	line 'on device 8.0 MiB at least for the model, and 2.5 MiB for each '\
'in flight'
	line 'energy not measured: no sensor'
	line 'outputs each the same, checksum fedcba9876543210'
	line 'LoadGen-style scenario; not an MLPerf result.'
	line 'machine Orange Pi 6 Plus, 12 processors, kernel 6.6.89, governor '\
'performance'
}

@test "text: no report is wider than 99 columns" {
	for c in $CASES; do
		for format in text all; do
			mkbench "$c" "$format" >text.txt
			awk -v c="$c $format" '
			    length > 99 && !/^failed/ { print c ": " $0; bad = 1 } END { exit bad }' \
			    text.txt
		done
	done
}

@test "text: columns that do not fit continue in a second block" {
	table many text
	# 16 percentiles, 7 to 22, each once, in two blocks.
	[ "$(grep -c '^infer  *[0-9]*\.[0-9]* ' text.txt)" -ge 2 ]
	[ "$(grep '^ms .* p' text.txt | grep -o 'p[0-9]*' | sort -u |
	    wc -l)" -eq 16 ]
}

@test "text: several configurations side by side, and their stages with -v" {
	table sweep text
	line 'ms scenario j runs infer p50 e2e p50 e2e p99 ucb cores inf/s sd %'
	line 'clip_txt.cix offline 1 1 331.000 333.500 664.500 0.250 2.99 -'
	line 'clip_txt.cix offline 2 1 - 333.500 664.500 0.250 2.99 -'
	line 'e2e includes queueing where several are in flight.'
	run -1 grep -q '^infer' text.txt
	table sweep all
	[ "$(grep -c '^infer .* 331\.500' text.txt)" -eq 2 ]
	line 'latency e2e includes queueing: 2 are in flight'
	[ "$(grep -c 'queueing: ' text.txt)" -eq 1 ]
	table ramp text
	run -1 grep queueing text.txt
}

@test "text: a model has the name of its file, unless two have the same" {
	table together text
	[ "$(grep -oE '^[^ ]*\.cix' text.txt)" = $'a.cix\nb.cix' ]
	table twins text
	[ "$(grep -oE '^[^ ]*\.cix' text.txt)" = $'one/m.cix\ntwo/m.cix' ]
}

@test "text: side A comes before side B" {
	table sides text
	[ "$(grep -E '^[AB]: ' text.txt | cut -c 1-8)" = \
	    $'A: a.cix\nB: b.cix' ]
	line 'infer p50 +7.5% (>= +6.1%, limit +5%) regression'
}

@test "text: several runs have their medians and their spread" {
	table runs text
	grep -E '^infer +341\.500 +191\.247 +11\.000 +341\.000 ' text.txt
	# 331, 341 and 351: the standard deviation is 10, 2.93 % of 341.
	line 'spread infer p50 from 331.000 ms to 351.000 ms, sd 2.93%'
	line 'temperature soc: 38.0 to 46.0 C'
	line 'energy 6.00 W, idle 2.00 W; an inference 2004.00 mJ, above idle '\
'1336.00 mJ (vdd)'
	table ramp text
	run -1 grep spread text.txt
}

@test "text: processes that run together have a common throughput" {
	table together text
	line 'together 200.00/s by 2 processes, while all measured'
	table runs text
	run -1 grep together text.txt
}

@test "text: a server has its bound, and the rates that were tried" {
	table server text
	line 's.cix, server at 50.5/s, 1 in flight'
	line 'query 15.000 0.000 15.000 15.000 15.000 15.000 15.000 - 15.000'
	line 'bound p99 of the query at most 20.000 ms: kept'
	line 'found from 50.500/s to 54.000/s keeps the bound'
	line 'tried 25.250/s, 700 samples, 1 late: ucb 15.000 ms, kept'
	line ' 101.000/s, 10 samples, 8 late: ucb -, not surely kept'
	table late text
	line 'bound p99 of the query at most 20.000 ms: not kept'
	line 'samples 700 in 13.990 s, after 5 to warm up; 1 given up as they '\
'waited'
	line 'failed 1, the first: no answer?[1m'
}

@test "text: a failed run has its reason and no number" {
	table zero text
	line 'failed run 1: no such?device'
	run -1 grep -E '[0-9]\.[0-9]|nan' text.txt
	table nan text
	run -1 grep -wE -e '-?(nan|inf)' text.txt
}

@test "text: if some runs failed, the values of the others are shown" {
	table partly all >/dev/null
	# A "together" line is not printed if one of the two processes failed.
	run -1 grep '^together' text.txt
	[ "$(grep -c '^failed ' text.txt)" -eq 2 ]
	grep -A1 '^b.cix, ' text.txt | grep -x 'failed      run 1: it broke'
	grep -A1 '^B: a.cix, ' text.txt | grep -x 'failed      run 2: it broke'
	line 'bound p99 of the query at most 20.000 ms: too few samples (by 0 of 2)'
	[ "$(grep -c '^bound' text.txt)" -eq 1 ]
}

@test "text: long inferences have fewer decimals; unequal runs have ranges" {
	# The means are 6.5 and 6 s, the maxima 12 and 11 s.  In both runs, 6 s
	# is the 6th sample.
	table slow all >/dev/null
	line 'samples 11 to 12 in 72.000 s, after 5 to warm up'
	line 'failed 3, the first: no answer'
	line 'temperature soc: 39.0 to 51.0 C'
	line ' npu: 40.0 to 51.0 C'
	line 'infer 6250.0 3461.1 1000.0 6000.0 - - - - 11500.0'
	line 'infer 750.50 433.16 1.00 750.00 1350.00 1425.00 1485.00 - 1500.00'
}

@test "each warning is a line on stderr, and a code in the document" {
	run --separate-stderr -0 mkbench few warnings
	[ "$output" = "" ]
	[ "$(sed 's/: [^:]*$//' <<<"$stderr" | cut -d : -f 1-2)" = \
	    "$(printf 'mkbench: %s\n' W-COV W-DRIFT W-SHORT W-AUTO)" ]
	[ "$(json few '.warnings, .runs[0].warnings' | uniq)" = \
	    '["W-COV","W-DRIFT","W-SHORT","W-AUTO"]' ]
	[ "$(json server .warnings)" = '[]' ]
	[ "$(json late .warnings)" = '["W-GOV","W-HOT"]' ]
	[ "$(json hostile '.warnings | index("W-BUSY") != null')" = true ]
	run --separate-stderr -0 mkbench sides warnings
	[[ ${stderr_lines[0]} == 'mkbench: W-COV: '*' (4 of 4)' ]]
}

# ---- Real runs -----------------------------------------------------------

# bench OPTION...: runs npu-bench on a model that does almost nothing.
bench() {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
	NPU_DEVICE=emu npu-bench -q --idle=none -w 0 "$@" m.cix </dev/null
}

@test "the document's statistics are what Python computes from the samples" {
	bench --min-iter=700 --runs=2 -P 2 --json -o r.json --samples=s.csv \
	    --percentiles=1,50,99,100
	# over(p, n) returns t: the t-th largest sample is the upper bound of
	# percentile p with 99 % confidence.  It is the largest t with
	# P[Binomial(n, 1 - p) <= t] <= 0.01; for t = 1 and percentile 99 the
	# least n is 662.
	/usr/bin/python3 - <<'END'
import csv, json, math, statistics
from fractions import Fraction
doc = json.load(open("r.json"))
rows = list(csv.DictReader(open("s.csv")))
def near(a, b):
	assert abs(a - b) <= 1e-9 * abs(b) + 1e-12, (a, b)
def over(p, n):
	q = 1 - Fraction(p, 100)
	term = total = (1 - q) ** n
	t = 0
	while total <= Fraction(1, 100):
		t += 1
		term = term * (n - t + 1) * q / (t * (1 - q))
		total += term
	return t - 1
assert len(doc["runs"]) == 4
for run in doc["runs"]:
	own = [r for r in rows if int(r["run"]) == run["run"] and
	    int(r["process"]) == run["process"]]
	n = len(own)
	assert n == run["n"] >= 700 and run["model"] == own[0]["model"]
	assert [int(r["index"]) for r in own] == list(range(n))
	wall = int(own[-1]["end_ns"]) - int(own[0]["begin_ns"])
	near(run["wall_ms"], wall / 1e6)
	near(run["throughput"], n / (wall / 1e9))
	of = {s: [int(r[s + "_ns"]) / 1e6 for r in own]
	    for s in ("create", "put", "infer", "get", "clean")}
	of["e2e"] = [(int(r["end_ns"]) - int(r["begin_ns"])) / 1e6 for r in own]
	near(run["inverse_latency"], 1e3 / statistics.mean(of["e2e"]))
	for stage, x in of.items():
		s, y = run["stages"][stage], sorted(x)
		want = {"mean": statistics.mean(x), "min": y[0], "max": y[-1],
		    "median": statistics.median(x), "first": x[0],
		    "mad": statistics.median(abs(v - statistics.median(x))
			for v in x)}
		for p in (1, 50, 99, 100):
			want["p%02d" % p] = y[math.ceil(p * n / 100) - 1]
		for p in (1, 50, 99):
			want["p%02d_ucb" % p] = y[n - over(p, n)]
		for name, v in want.items():
			got = s[name + "_ms"]
			if name != "mad" and v < run["floor_ms"]:
				assert got is None, (stage, name, got, v)
			else:
				near(got, v)
		near(s["sd_ms"], statistics.stdev(x))
		assert s["p100_ucb_ms"] is None and s["n"] == n
END
}

@test "CSV and JSON of the same run agree" {
	bench --min-iter=700 -j 1,2 --csv --save=r.json >r.csv
	/usr/bin/python3 - <<'END'
import csv, json
doc = json.load(open("r.json"))
rows = list(csv.DictReader(open("r.csv")))
assert [r["stage"] for r in rows] == 2 * ["init", "load", "first", "create",
    "put", "infer", "get", "clean", "e2e"]
seen = 0
for row in rows:
	run = doc["runs"][int(row["config"])]
	for key in ("run", "process", "inflight", "failed"):
		assert int(row[key]) == run[key]
	assert row["model"] == run["model"]
	assert float(row["throughput"]) == run["throughput"]
	if row["stage"] not in run["stages"]:
		name = row["stage"] + "_ms"
		assert (float(row["mean_ms"]) if row["mean_ms"] != ""
		    else None) == run[name]
		continue
	for key, v in run["stages"][row["stage"]].items():
		if key not in row:
			continue
		assert (float(row[key]) if row[key] != "" else None) == v, key
		seen += v is not None
assert seen > 50
END
}

@test "each stage takes as long as the delay of its library call" {
	NPU_EMU_CREATE_MS=4 NPU_EMU_LOAD_MS=8 NPU_EMU_INFER_MS=12 \
	    NPU_EMU_GET_MS=16 NPU_EMU_CLEAN_MS=20 NPU_EMU_INIT_MS=24 \
	    NPU_EMU_GRAPH_MS=28 bench --min-iter=15 --json >r.json
	jq -e '.runs[0] | (.init_ms >= 24 and .load_ms >= 28 and
	    .first_ms >= 60 and .first_infer_ms >= 12) and (.stages |
	    [.create, .put, .infer, .get, .clean] | map(.min_ms) |
	    [., [4, 8, 12, 16, 20]] | transpose |
	    map(.[0] >= .[1] and .[0] < .[1] + 4) | all) and
	    .stages.e2e.min_ms >= 60' r.json || {
		jq -c '.runs[0].stages[] | .min_ms?' r.json
		return 1
	}
}

@test "--reuse-job: the stages that are left out have no duration" {
	bench --min-iter=100 --reuse-job --json >r.json
	[ "$(jq '.runs[0].stages | .create.mean_ms, .clean.max_ms' r.json |
	    paste -sd ' ')" = 'null null' ]
	bench --min-iter=100 --reuse-job >text.txt
	grep -E '^create +<0\.[0-9]+ +- +<' text.txt
}

@test "the memory on the device is what npu-info reports for the model" {
	NPU_DEVICE=emu npu-bench --json --min-time=10ms --min-iter=3 \
	    --warmup=1 --idle=none clip_txt.cix 2>/dev/null >j
	npu-info --json clip_txt.cix 2>/dev/null |
	    jq '.models[0].subgraphs[0] | [.load_memory_bytes,
	    .job_memory_bytes]' >want
	jq '.runs[0].mem | [.device_model_bytes, .device_job_bytes]' j |
	    cmp - want
	[ "$(jq '.[1] > 0' want)" = true ]
}
