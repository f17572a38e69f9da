import { expect, test } from 'vitest'
import { wasm as watched } from './assembly/evm/index.ts?traced-wasm'
import { wasm } from './assembly/evm/index.ts?wasm'

async function hooks(bytes: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes))
  return imports.filter(({ module }) => module === 'tracing').map(({ name }) => name)
}

test('only the watched module reports anything to its host', async () => {
  expect(await hooks(wasm)).toEqual([])
  expect((await hooks(watched)).toSorted()).toEqual(['enter', 'exit', 'log', 'record', 'settle', 'step'])
})
