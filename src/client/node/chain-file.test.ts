import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gunzip, gzip, isGzip } from './chain-file.ts'
import { UnpackError } from './unpack.ts'

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

test('gzip and gunzip return the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (given) => {
      const bytes = new Uint8Array(given)
      const packed = await bytesOf(await gzip(bytes))
      expect(isGzip(packed)).toBe(true)
      expect(await gunzip(packed)).toEqual(bytes)
    }),
    { numRuns: 30 },
  )
})

test('damaged or truncated gzip is refused with a clear message', async () => {
  const packed = await bytesOf(await gzip(new TextEncoder().encode('a chain '.repeat(100))))
  const damaged = packed.slice()
  damaged[20] = (damaged[20] as number) ^ 0xff
  for (const bad of [damaged, packed.slice(0, -9), packed.slice(0, 3)]) {
    await expect(gunzip(bad)).rejects.toThrow(UnpackError)
  }
})

test('unpacking stops for a small file that grows without end', async () => {
  const packed = await bytesOf(await gzip(new Uint8Array(3 * 1024 * 1024)))
  expect(packed.length).toBeLessThan(10_000)
  await expect(gunzip(packed, 2 * 1024 * 1024)).rejects.toThrow('more than 2 MiB')
})
