import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, ByteReaderError } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { bytesToHex, hexToBytes } from './hex.ts'

test('what is written is what is read', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          uint: fc.maxSafeNat(),
          float: fc.double(),
          hex: fc.uint8Array({ minLength: 20, maxLength: 20 }),
          bytes: fc.uint8Array({ maxLength: 400 }),
          bigint: fc.bigInt({ min: 0n, max: 2n ** 300n }),
        }),
      ),
      (items) => {
        const bytes = new ByteWriter()
          .list(items, ({ uint, float, hex, bytes: content, bigint }, writer) => {
            writer.uint(uint).float(float).hex(bytesToHex(hex)).bytes(content).bigint(bigint)
          })
          .finish()
        const reader = new ByteReader(bytes)
        const read = reader.list(() => ({
          uint: reader.uint(),
          float: reader.float(),
          hex: hexToBytes(reader.hex(20)),
          bytes: reader.bytes().slice(),
          bigint: reader.bigint(),
        }))
        expect(read).toEqual(items)
        reader.finish()
      },
    ),
  )
})

test('bytes that end too early are an error, wherever they end', () => {
  const bytes = new ByteWriter()
    .uint(300)
    .float(1.5)
    .bytes(Uint8Array.of(1, 2, 3))
    .bigint(70_000n)
    .finish()
  const readAll = (part: Uint8Array) => {
    const reader = new ByteReader(part)
    reader.uint()
    reader.float()
    reader.bytes()
    reader.bigint()
  }
  expect(() => readAll(bytes)).not.toThrow()
  for (let length = 0; length < bytes.length; length++) {
    expect(() => readAll(bytes.subarray(0, length))).toThrow(ByteReaderError)
  }
})

test('a list that claims more items than there are bytes is an error', () => {
  expect(() => new ByteReader(new ByteWriter().uint(2 ** 40).finish()).list((reader) => reader.uint())).toThrow(
    ByteReaderError,
  )
})

test('bytes after the end are an error', () => {
  expect(() => new ByteReader(Uint8Array.of(1)).finish()).toThrow('1 bytes follow')
})

test('a number that is not whole cannot be written', () => {
  expect(() => new ByteWriter().uint(-1)).toThrow(RangeError)
  expect(() => new ByteWriter().uint(0.5)).toThrow(RangeError)
})
