#!/usr/bin/env node
import './relaxed-simd.ts'
import { keepCompiledCode } from './compiled-code.ts'

keepCompiledCode()
// By itself, so that it is compiled after that.
const { runCommandLine } = await import('./command.ts')
await runCommandLine()
