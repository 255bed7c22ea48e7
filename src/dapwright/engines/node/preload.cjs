'use strict';
// Loaded into every Node process of a program under debug (NODE_OPTIONS): it opens its inspector,
// says where, and waits for the debugger. Package runners do nothing of the user's: they pass.
const { isMainThread } = require('worker_threads');
const where = process.env.DAPWRIGHT_NODE;
const runner = /[\\/](npm-cli|npx-cli|npm-prefix|corepack|yarn|yarnpkg|pnpm|pnpx|tsx[\\/]dist[\\/]cli)(\.[cm]?js)?$/;

// Where a breakpoint may lie in a source that is compiled as it is loaded, the debugger asks for a
// stop before each such CommonJS module: its lines are known then, and none of it has run.
function watch() {
  const { prototype } = require('module');
  const { compileFunction } = require('vm');
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const compile = prototype._compile;
  prototype._compile = function _compile(content, filename, ...rest) {
    const at = typeof content === 'string' ? content.lastIndexOf('sourceMappingURL=') : -1;
    if (at >= 0 || /\.([cm]?ts|[jt]sx|vue|svelte)$/.test(filename)) {
      const rehearse = () => compileFunction(content, names, { filename: 'dapwright-possible' });
      loading(filename, at < 0 ? '' : content.slice(at + 17).split(/\s/, 1)[0], rehearse);
    }
    return compile.call(this, content, filename, ...rest);
  };
}
function loading(filename, map, rehearse) {
  debugger;
}

// A runner on PATH is a link to its script.
function script() {
  try {
    return require('fs').realpathSync(process.argv[1]);
  } catch {
    return process.argv[1] || '';
  }
}

if (where && isMainThread && !runner.test(script())) {
  const fs = require('fs');
  let pipe = -1;
  try {
    pipe = fs.openSync(where, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    // No debugger reads any more: run as if there had been none.
  }
  if (pipe >= 0) {
    const inspector = require('inspector');
    if (!inspector.url()) inspector.open(0, '127.0.0.1', false);
    const told = { pid: process.pid, ppid: process.ppid, url: inspector.url(), argv: process.argv.slice(0, 2) };
    fs.writeSync(pipe, JSON.stringify(told) + '\n');
    fs.closeSync(pipe);
    if (process.env.DAPWRIGHT_NODE_CHILDREN === '0') delete process.env.DAPWRIGHT_NODE;
    watch.require = require;
    globalThis[Symbol.for('dapwright.watch')] = watch;
    inspector.waitForDebugger();
    delete globalThis[Symbol.for('dapwright.watch')];
  }
}
