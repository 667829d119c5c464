// Tideline in VS Code: files open as the page of `tideline serve`, in a frame. Over ssh the program runs where the files are, and the
// editor forwards the port.
'use strict';
const vscode = require('vscode');
const page = require('./page.js');

const kViewType = 'tideline.page';
const kAncestors = 'vscode-webview: vscode-file: https://*.vscode-cdn.net';

const opened = new Set();  // how each open page is closed, with its program and its folder

const escaped = (text) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

function html(body, source) {
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"
content="default-src 'none'; style-src 'unsafe-inline'; frame-src ${source}"><style>
html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0; box-sizing: border-box; }
p { padding: 1em; white-space: pre-wrap; }
</style></head><body>${body}</body></html>`;
}

// A view of a file. It is never written: what is changed on the page stays there or is downloaded.
class Pages {
  openCustomDocument(uri) {
    return {uri, dispose() {}};
  }

  async resolveCustomEditor(document, panel) {
    panel.webview.options = {enableScripts: true};  // of the frame
    let isGone = false, served = null;
    const close = () => { isGone = true; opened.delete(close); served?.close(); };
    opened.add(close);
    panel.onDidDispose(close);
    const program = vscode.workspace.getConfiguration('tideline').get('program');
    const say = (text) => { if (!isGone) panel.webview.html = html(`<p>${escaped(text)}</p>`, "'none'"); };
    try {
      if (document.uri.scheme !== 'file') throw new Error(`Tideline opens files of a disk, not ${document.uri.scheme}:`);
      served = await page.open(program, document.uri.fsPath, kAncestors);
      if (isGone) return served.close();
      const here = vscode.Uri.parse(`http://127.0.0.1:${served.port}/${served.path}/`);
      const there = await vscode.env.asExternalUri(here);
      const url = there.toString(true);
      served.ended.then(() => say('The program has ended. Close this tab and open the file again.'));
      if (!isGone) panel.webview.html = html(`<iframe src="${escaped(url)}" title="Tideline"></iframe>`, `${there.scheme}://${there.authority}`);
    } catch (problem) {
      say(problem.message);
    }
  }
}

function activate(context) {
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(kViewType, new Pages(), {webviewOptions: {retainContextWhenHidden: true}}),
    vscode.commands.registerCommand('tideline.open', (uri) => {
      const chosen = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (chosen) return vscode.commands.executeCommand('vscode.openWith', chosen, kViewType);
    }));
}

// Where the editor ends, it disposes of no panels.
function deactivate() {
  for (const close of [...opened]) close();
}

module.exports = {activate, deactivate};
