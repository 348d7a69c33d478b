// A headless Chromium, driven over its DevTools pipe: no package, no port. `open_page` opens a file as a reader would.
'use strict';
const { spawn, execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

exports.chromium = () => {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`]).toString().trim();
    } catch {
      continue;
    }
  return '';
};

exports.start = async () => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'playground-'));
  const browser = spawn(exports.chromium(), ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe',
    `--user-data-dir=${profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [to, from] = [browser.stdio[3], browser.stdio[4]];
  let number = 0, rest = '';
  const answers = new Map(), listeners = [];
  from.on('data', (data) => {
    const parts = (rest + data).split('\0');
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id) {
        const { resolve, reject } = answers.get(message.id);
        answers.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
      } else for (const listener of listeners) listener(message);
    }
  });
  const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
    answers.set(++number, { resolve, reject });
    to.write(JSON.stringify({ id: number, method, params, sessionId }) + '\0');
  });
  const stop = async () => {
    const ended = new Promise((resolve) => browser.on('exit', resolve));
    send('Browser.close').catch(() => browser.kill());  // so that its children write no more
    await ended;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  };

  // A tab with this file. `complaints` collects what its console says and what is thrown in it.
  const usual = { width: 1280, height: 900, dark: false, still: true, hash: '', before: '' };
  const open_page = async (file, options = {}) => {
    const { width, height, dark, still, hash, before } = { ...usual, ...options };
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const complaints = [];
    listeners.push((message) => {
      if (message.sessionId !== sessionId) return;
      if (message.method === 'Runtime.exceptionThrown')
        complaints.push(message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text);
      if (message.method === 'Log.entryAdded' && message.params.entry.level === 'error')
        complaints.push(message.params.entry.text);
    });
    for (const part of ['Page', 'Runtime', 'Log']) await call(`${part}.enable`);
    await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
    await call('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: still ? 'reduce' : 'no-preference' }] });
    if (before) await call('Page.addScriptToEvaluateOnNewDocument', { source: before });
    await call('Page.navigate', { url: `file://${path.resolve(file)}${hash}` });
    const evaluate = async (expression) => {
      const { result, exceptionDetails } = await call('Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true, userGesture: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      return result.value;
    };
    // Waits until the expression is true; the error names it.
    const until = async (expression, seconds = 60) => {
      for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
        if (await evaluate(`Boolean(${expression})`).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      const words = await evaluate(`document.querySelector('#say')?.textContent`).catch(() => '');
      throw new Error(`waited ${seconds} s in vain for ${expression}; the page says: ${words}`);
    };
    const picture = async (to_file, whole = true) => {
      const { cssContentSize: size } = await call('Page.getLayoutMetrics');
      const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: whole,
        clip: { x: 0, y: 0, width, height: whole ? Math.ceil(size.height) : height, scale: 1 } });
      fs.writeFileSync(to_file, Buffer.from(data, 'base64'));
    };
    const press = async (key, code = key) => {
      const codes = { Tab: 9, Enter: 13, ' ': 32, ArrowRight: 39, ArrowLeft: 37, Escape: 27 };
      const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined;
      await call('Input.dispatchKeyEvent', { type: 'keyDown', key, code, windowsVirtualKeyCode: codes[key], text });
      await call('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode: codes[key] });
    };
    const close = () => send('Target.closeTarget', { targetId });
    return { call, evaluate, until, picture, press, close, complaints };
  };
  return { open_page, stop };
};
