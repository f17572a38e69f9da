import { setFlagsFromString } from 'node:v8'

// Node.js 20 can do relaxed SIMD, by which senders are recovered in half the time, and has to be told; later ones just do
// it. Whoever imports this does so before all that looks for it.
if (Number(process.versions.node.split('.')[0]) === 20) setFlagsFromString('--experimental-wasm-relaxed-simd')
