// A headless Firefox, driven over WebDriver BiDi; node 20 needs --experimental-websocket. It opens pages as browser.js
// does, of one motion and colour scheme, and has no `call`.
'use strict';
const { spawn, execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

exports.firefox = () => {
  for (const name of ['firefox-esr', 'firefox'])
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`]).toString().trim();
    } catch {
      continue;
    }
  return '';
};

exports.start = async ({ still = true } = {}) => {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'playground-'));
  fs.writeFileSync(path.join(profile, 'user.js'), [['ui.prefersReducedMotion', still ? 1 : 0],
    ['datareporting.policy.dataSubmissionEnabled', false], ['app.update.enabled', false],
    ['network.captive-portal-service.enabled', false], ['network.connectivity-service.enabled', false]]
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`).join(''));
  const browser = spawn(exports.firefox(), ['--headless', '--no-remote', '--profile', profile,
    '--remote-debugging-port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let heard = '';
    browser.stderr.on('data', (data) => {
      const found = (heard += data).match(/ws:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    browser.on('exit', () => reject(new Error(`Firefox ended: ${heard}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let number = 0;
  const answers = new Map(), listeners = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data), answer = answers.get(message.id);
    if (!answer) return listeners.forEach((listener) => listener(message));
    answers.delete(message.id);
    if (message.type === 'error') answer.reject(new Error(message.message));
    else answer.resolve(message.result);
  };
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    answers.set(++number, { resolve, reject });
    socket.send(JSON.stringify({ id: number, method, params }));
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const version = (await send('session.status')).message;

  const open_page = async (file, { width = 1280, height = 900, hash = '', before = '' } = {}) => {
    const { context } = await send('browsingContext.create', { type: 'tab' });
    const complaints = [];
    listeners.push(({ method, params }) => {
      if (method === 'log.entryAdded' && params.source.context === context && params.level === 'error')
        complaints.push(params.text);
    });
    await send('browsingContext.setViewport', { context, viewport: { width, height } });
    if (before)
      await send('script.addPreloadScript', { functionDeclaration: `() => { ${before} }`, contexts: [context] });
    await send('browsingContext.navigate', { context, url: `file://${path.resolve(file)}${hash}`, wait: 'complete' });
    const evaluate = async (expression) => {
      const found = await send('script.evaluate', { expression: `Promise.resolve(eval(${JSON.stringify(expression)}))
        .then((it) => it === undefined ? 'null' : JSON.stringify(it))`,
        target: { context }, awaitPromise: true, userActivation: true });
      if (found.type === 'exception') throw new Error(found.exceptionDetails.text);
      return JSON.parse(found.result.value);
    };
    const until = async (expression, seconds = 60) => {
      for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
        if (await evaluate(`Boolean(${expression})`).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      throw new Error(`waited ${seconds} s in vain for ${expression}`);
    };
    const picture = async (to_file) => fs.writeFileSync(to_file,
      Buffer.from((await send('browsingContext.captureScreenshot', { context, origin: 'document' })).data, 'base64'));
    const press = (key) => {
      const value = { Tab: '\uE004', Enter: '\uE007', ArrowRight: '\uE014', Escape: '\uE00C' }[key] || key;
      return send('input.performActions', { context, actions: [{ type: 'key', id: 'keys',
        actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }] });
    };
    const close = () => send('browsingContext.close', { context });
    return { evaluate, until, picture, press, close, complaints };
  };
  const stop = async () => {
    socket.close();
    browser.kill();
    await new Promise((resolve) => browser.on('exit', resolve));
    fs.rmSync(profile, { recursive: true, force: true });
  };
  return { open_page, stop, version };
};
