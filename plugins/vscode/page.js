// The page of one file: `tideline serve --socket` beside this process, and a server at 127.0.0.1 that hands a browser's requests to
// it, because no browser speaks to a socket of Unix. Knows nothing of an editor.
'use strict';
const {spawn} = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');

const kStartMs = 30000;
// Of a request only what describes it; whose page asked was looked at here.
const kPassed = ['accept', 'accept-encoding', 'content-type', 'content-length', 'if-none-match'];

// Resolves to the process once it listens. The program ends when its standard input does, so never later than this process.
function serve(program, file, socket) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['serve', '--socket', socket, file], {stdio: ['pipe', 'pipe', 'pipe']});
    let complaints = '';
    const fail = (why) => { clearTimeout(timer); child.kill(); reject(new Error(why)); };
    const timer = setTimeout(() => fail(`${program}: it does not start within ${kStartMs / 1000} s`), kStartMs);
    child.on('error', (problem) => fail(`${program}: ${problem.message}; see the setting tideline.program`));
    child.on('exit', (code) => fail(complaints.trim() || `${program} ended with exit code ${code}`));
    child.stdin.on('error', () => {});  // that it has ended is said by 'exit'
    child.stderr.on('data', (bytes) => { complaints = (complaints + bytes).slice(-2000); });
    child.stdout.once('data', () => { clearTimeout(timer); resolve(child); });
  });
}

// Whether a page of another origin asks: its browser says so.
function isForeign(request) {
  const {origin, host} = request.headers;
  return origin !== undefined && origin.replace(/^https?:\/\//, '') !== host || request.headers['sec-fetch-site'] === 'cross-site' &&
    request.headers['sec-fetch-mode'] !== 'navigate';
}

function hand(request, response, socket, url, ancestors) {
  const headers = {host: 'localhost'};
  for (const name of kPassed) if (request.headers[name] !== undefined) headers[name] = request.headers[name];
  const asked = http.request({socketPath: socket, method: request.method, path: url, headers}, (answer) => {
    const fields = {...answer.headers};
    const policy = fields['content-security-policy'];
    if (policy) fields['content-security-policy'] = policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`);
    delete fields['x-frame-options'];
    response.writeHead(answer.statusCode, fields);
    answer.pipe(response);
  });
  asked.on('error', (problem) => {
    if (!response.headersSent) response.writeHead(502, {'content-type': 'text/plain'});
    response.end(`The program does not answer: ${problem.message}`);
  });
  response.on('close', () => asked.destroy());  // a page that is gone waits for nothing
  request.pipe(asked);
}

// Opens `file`. Resolves to {port, path, close()}: the page is at http://127.0.0.1:PORT/PATH/. `ancestors`: which pages may frame it,
// in words of a Content-Security-Policy. The path is a secret, without which nothing is answered: any user of this machine
// reaches the port.
async function open(program, file, ancestors) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tideline.'));  // for this user alone
  const socket = path.join(folder, 'socket');
  const secret = crypto.randomBytes(32).toString('hex');
  let child, server;
  const close = () => {
    server?.close();
    server?.closeAllConnections?.();
    child?.stdin.end();
    fs.rmSync(folder, {recursive: true, force: true});
  };
  try {
    child = await serve(program, file, socket);
    server = http.createServer((request, response) => {
      const known = `/${secret}/`;
      if (!request.url.startsWith(known) || isForeign(request)) {
        response.writeHead(404).end();
        return;
      }
      hand(request, response, socket, request.url.slice(known.length - 1), ancestors);
    });
    await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return {port: server.address().port, path: secret, close, ended: new Promise((resolve) => child.on('exit', resolve))};
  } catch (problem) {
    close();
    throw problem;
  }
}

module.exports = {open};
