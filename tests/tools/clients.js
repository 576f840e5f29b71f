// SPDX-License-Identifier: Apache-2.0
//
// Clients of npu-serve that run on Node.  Vectors are written as bytes (floats
// of 32 bits), everything else as lines of text.
//
// node clients.js openai URL PACKAGE FILE   npm's openai: FILE.float and
//                                           FILE.base64 get the same vectors
// node clients.js errors URL PACKAGE MODEL INPUT KEY   prints the error
// node clients.js immich URL PICTURE TEXT   makes the requests of Immich
// node clients.js ranks URL... TEXT         prints which address answers
'use strict';

const fs = require('fs');
const path = require('path');

const CLIP = 'ViT-B-32__openai';

// ---- npm's openai ---------------------------------------------------------

function client(url, where, apiKey) {
	const OpenAI = require(path.resolve(where));

	return new OpenAI({ baseURL: url + '/v1', apiKey });
}

const bytes = (d) => Buffer.from(new Float32Array(d.embedding).buffer);
const INPUT = ['a cat', 'two dogs', 'caf\u00e9 & bar', 'a cat'];

async function openai(url, where, file) {
	const c = client(url, where, 'none');
	const ask = (input, more) =>
		c.embeddings.create({ model: 'clip', input, ...more });
	// The package asks for base64 if the caller does not choose an
	// encoding.
	const ways = { float: { encoding_format: 'float' }, base64: {} };
	const names = [];

	for (const way of Object.keys(ways)) {
		const list = await ask(INPUT, ways[way]);
		const one = await ask(INPUT[1], ways[way]);

		fs.writeFileSync(file + '.' + way, Buffer.concat(
			[...list.data, ...one.data].map(bytes)));
		console.log(way, list.model,
			list.data.map((d) => d.index).join(),
			one.usage.prompt_tokens, one.usage.total_tokens);
	}
	for await (const m of c.models.list())
		names.push(m.id);
	console.log(names.join());
}

async function errors(url, where, model, input, key) {
	const before = Date.now();
	const c = client(url, where, key);
	let made;

	try {
		await c.embeddings.create({ model, input });
		console.log('no error');
	} catch (e) {
		made = e.constructor.name;
		console.log(made, e.status, e.type, e.code);
	}
	// Retry-After sets how long the package waits between attempts: 1 s.
	if (made === 'RateLimitError')
		console.log(Date.now() - before >= 2000 ? 'waited' : 'at once');
}

// ---- Immich's server ------------------------------------------------------

const textual = (modelName) => ({ clip: { textual: { modelName,
	options: { language: 'en' } } } });
const visual = (modelName) => ({ clip: { visual: { modelName } } });
const READ = { ocr: { detection: { modelName: 'PP-OCRv5_mobile',
	options: { minScore: 0.5, maxResolution: 736 } },
recognition: { modelName: 'PP-OCRv5_mobile', options: { minScore: 0.9 } } } };

function predict(url, entries, input) {
	const form = new FormData();

	form.append('entries', JSON.stringify(entries));
	if (typeof input === 'string')
		form.append('text', input);
	else
		form.append('image', new Blob([input]));
	return fetch(new URL('/predict', url), { method: 'POST', body: form });
}

async function immich(url, picture, text) {
	const image = fs.readFileSync(picture);
	const ping = await fetch(new URL('/ping', url));
	let answer;

	console.log(ping.ok, await ping.text());
	answer = await (await predict(url, textual(CLIP), text)).json();
	console.log(Object.keys(answer).join(), answer.clip);
	answer = await (await predict(url, visual(CLIP), image)).json();
	console.log(answer.imageWidth, answer.imageHeight, answer.clip);
	for (const [entries, input] of [[READ, image],
		[textual('ViT-L-14__openai'), text], [visual(CLIP), text],
		[textual(CLIP), '']]) {
		answer = await predict(url, entries, input);
		console.log(answer.ok, answer.status,
			typeof (await answer.json()).detail);
	}
}

// Skips an address that answers with a status other than 2xx.
async function ranks(...words) {
	const text = words.pop();

	for (const url of words) {
		const answer = await predict(url, textual(CLIP), text);

		if (answer.ok) {
			console.log(words.indexOf(url),
				(await answer.json()).clip);
			return;
		}
	}
	console.log('no address');
}

const [,, command, ...rest] = process.argv;

({ openai, errors, immich, ranks })[command](...rest);
