#!/usr/bin/env node
/**
 * npm's Solidity compiler with the interface of the native one, for `forge --use`: `--version`, or `--standard-json`
 * with the input on stdin. The package's own `solcjs` does not accept `--allow-paths`, which forge always passes.
 */
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'

const require = createRequire(import.meta.url)
const solc = /** @type {{ version(): string, compile(input: string): string }} */ (require('solc'))

if (process.argv.includes('--version')) process.stdout.write(`Version: ${solc.version()}\n`)
else process.stdout.write(solc.compile(await text(process.stdin)))
