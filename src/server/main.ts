#!/usr/bin/env node
import './v8-flags.ts'
import { tmpdir } from 'node:os'
import type * as Command from './command.ts'
import { ownFolder, ScriptLoader } from './compiled-code.ts'

/** By then a start has compiled what it needs, and its first callers are answered. */
const KEEPING_AFTER_MS = 1_000

const isOff = process.env['NODE_DISABLE_COMPILE_CACHE'] === '1'
const loader = new ScriptLoader(import.meta.dirname, isOff ? undefined : ownFolder(tmpdir()))
const { runCommandLine } = loader.load('command.js') as typeof Command
runCommandLine().then(
  (isRunning) => {
    if (!isRunning) return
    setTimeout(() => void loader.keep(), KEEPING_AFTER_MS).unref()
    // Tests may run many chains, each for less than that.
    process.on('exit', () => loader.keepAtOnce())
  },
  (error: unknown) => {
    // Outside the promise, where nothing catches it: the process ends with its stack trace.
    setImmediate(() => {
      throw error
    })
  },
)
