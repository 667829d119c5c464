// Asks page.js of the VS Code extension for a page, as the editor would: vscode_page.js PAGE_JS PROGRAM FILE
'use strict';
const assert = require('assert');
const fs = require('fs');
const http = require('http');
const os = require('os');

const [pageJs, program, file] = process.argv.slice(2);
const page = require(pageJs);

function ask(port, path, {method = 'GET', headers = {}, body} = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({host: '127.0.0.1', port, path, method, headers}, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => { text += piece; });
      answer.on('end', () => resolve({status: answer.statusCode, headers: answer.headers, text}));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const folders = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('tideline.'));

async function main() {
  const before = new Set(folders());
  const served = await page.open(program, file, 'vscode-webview:');
  const {port, path} = served;
  const index = await ask(port, `/${path}/`);
  assert.strictEqual(index.status, 200);
  assert.match(index.text, /<title>Tideline<\/title>/);
  assert.match(index.headers['content-security-policy'], /frame-ancestors vscode-webview:/);
  assert.strictEqual((await ask(port, `/${path}/front/main.js`)).status, 200);
  assert.strictEqual(JSON.parse((await ask(port, `/${path}/api/v1/about`)).text).api, 1);
  const sources = JSON.parse((await ask(port, `/${path}/api/v1/sources`)).text);
  assert.strictEqual(sources.graphs.length, 1);
  const body = JSON.stringify({source: {path: sources.graphs[0].path}});
  const json = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
  const opened = await ask(port, `/${path}/api/v1/sessions`, {method: 'POST', headers: json, body});
  assert.ok(opened.status < 300, `${opened.status} ${opened.text}`);
  // Without the secret, or from a foreign page, there is nothing.
  assert.strictEqual((await ask(port, '/')).status, 404);
  assert.strictEqual((await ask(port, `/${'0'.repeat(64)}/api/v1/about`)).status, 404);
  const foreign = {...json, origin: 'http://evil.example'};
  assert.strictEqual((await ask(port, `/${path}/api/v1/sessions`, {method: 'POST', headers: foreign, body})).status, 404);
  served.close();
  await served.ended;
  assert.deepStrictEqual(folders().filter((name) => !before.has(name)), []);
  await assert.rejects(page.open('/no/such/program', file, "'none'"), /tideline\.program/);
  await assert.rejects(page.open(program, '/no/such/graph.meta', "'none'"), /graph\.meta/);
  console.log('the page of the extension answers');
}

main().catch((problem) => { console.error(problem); process.exit(1); });  // which ends the program, too
