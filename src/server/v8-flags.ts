import { setFlagsFromString } from 'node:v8'

/** Modules of Node.js that every start needs; `http`, `net` and `console` load some of them when they are first used. */
const NEEDED = ['cluster', 'dns', 'fs', 'http', 'module', 'os', 'path', 'perf_hooks', 'util', 'vm', 'zlib']

// V8's flags for the command, whose process is our own: the library leaves them alone. Whoever imports this does so before
// all of our scripts, whose kept code is only good with the same flags. What every start needs is loaded before: with other
// flags Node.js cannot use the compiled code of its own modules, and takes twice the time or more to load one.
for (const name of NEEDED) process.getBuiltinModule(name)
if (Number(process.versions.node.split('.')[0]) === 20) {
  // Senders are recovered by relaxed SIMD. Later versions just do it.
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  // The bytes of bytecode that a function runs before V8 looks whether to optimise it; default 67,584. The thread of the
  // chain reaches its full speed after 1,000 transactions instead of 2,000. Later versions have no such flag.
  setFlagsFromString('--interrupt-budget=30000')
}
