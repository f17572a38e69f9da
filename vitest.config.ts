import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { engineBuild } from './scripts/build/engine.mjs'

/** Tests that replace modules of Node.js: files that share modules with them would get the replacements, too. */
const REPLACES_MODULES = ['src/server/journal/take-over.property.test.ts']

/** How many times as long property tests run: see src/testing/primitives/runs.ts. */
const RUNS = Math.max(1, Number(process.env['RUNS'] ?? 1))

/** Node.js 20 has relaxed SIMD behind a flag, which the command sets: see src/server/v8-flags.ts. */
const RELAXED_SIMD = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : []

export default defineConfig({
  plugins: [engineBuild()],
  test: {
    environment: 'node',
    // Long enough for a machine that others use too: the longest take 10 s on one that nobody else does. A test that hangs
    // is found as well after some minutes.
    testTimeout: 300_000 * RUNS,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // Files of one worker share their modules: two thirds of the time went into importing the same ones again.
    isolate: false,
    // By default a machine of two cores has one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests allocate much and keep little. Fewer collections, without threads that wait for each other on busy cores, save
    // a fifth of the processor time.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', ...RELAXED_SIMD],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,scripts}/**/*.test.{ts,tsx}'],
          exclude: REPLACES_MODULES,
          setupFiles: ['src/testing/engine/code-compiler.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'unit-alone', include: REPLACES_MODULES, isolate: true },
      },
      {
        extends: true,
        // Real libraries against real sockets and other people's nodes.
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          // A bundler of 300 MB: `npm run try:alto`.
          exclude: process.env['ALTO'] ? [] : ['test/clients/alto.test.ts'],
          benchmark: { include: [] },
        },
      },
    ],
  },
})
