import fc from 'fast-check'
import { bytesToHex, concatBytes, type Hex, hexToBytes, numberToBytes } from 'viem'

/** Values that the next instructions probably need on the stack, so that many programs run to their end. */
const SMALL = fc.integer({ min: 0, max: 96 })

const push = (value: bigint): Uint8Array => {
  const digits = value === 0n ? new Uint8Array() : numberToBytes(value)
  return concatBytes([Uint8Array.of(0x5f + digits.length), digits])
}

const anyWord = fc.oneof(
  SMALL.map(BigInt),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(2n ** 255n, 2n ** 256n - 1n, 2n ** 64n, 2n ** 128n - 1n),
)

/** An instruction after its operands, the topmost last. */
const withOperands = (opcode: number, operands: readonly fc.Arbitrary<bigint>[]) =>
  fc.tuple(...operands).map((values) => concatBytes([...values.map(push), Uint8Array.of(opcode)]))

const small = SMALL.map(BigInt)
const slot = fc.bigInt({ min: 0n, max: 3n })
const arithmetic = fc
  .constantFrom(
    0x01,
    0x02,
    0x03,
    0x04,
    0x05,
    0x06,
    0x07,
    0x0a,
    0x0b,
    0x10,
    0x11,
    0x12,
    0x13,
    0x14,
    0x16,
    0x17,
    0x18,
    0x1a,
    0x1b,
    0x1c,
    0x1d,
  )
  .chain((opcode) => withOperands(opcode, [anyWord, anyWord]))
/** ADDMOD, MULMOD. */
const modular = fc.constantFrom(0x08, 0x09).chain((opcode) => withOperands(opcode, [anyWord, anyWord, anyWord]))
/** ISZERO, NOT, CLZ, CALLDATALOAD, MLOAD. */
const unary = fc.constantFrom(0x15, 0x19, 0x1e).chain((opcode) => withOperands(opcode, [anyWord]))
const memory = fc.oneof(
  withOperands(0x51, [small]),
  withOperands(0x52, [anyWord, small]),
  withOperands(0x53, [anyWord, small]),
  withOperands(0x5e, [small, small, small]),
  withOperands(0x20, [small, small]),
  withOperands(0x37, [small, small, small]),
  withOperands(0x39, [small, small, small]),
  withOperands(0x3e, [small, small, small]),
)
/** SLOAD, SSTORE, TLOAD, TSTORE on a few slots, so that accesses collide. */
const storage = fc.oneof(
  withOperands(0x54, [slot]),
  withOperands(0x55, [fc.bigInt({ min: 0n, max: 2n }), slot]),
  withOperands(0x5c, [slot]),
  withOperands(0x5d, [anyWord, slot]),
)
/**
 * ADDRESS, ORIGIN, CALLER, CALLVALUE, CALLDATASIZE, CODESIZE, GASPRICE, RETURNDATASIZE, COINBASE, TIMESTAMP, NUMBER,
 * GASLIMIT, CHAINID, SELFBALANCE, BASEFEE, BLOBBASEFEE, PC, MSIZE, GAS. Not BLOCKHASH and PREVRANDAO, which differ
 * between the chains.
 */
const environment = fc
  .constantFrom(
    0x30,
    0x32,
    0x33,
    0x34,
    0x36,
    0x38,
    0x3a,
    0x3d,
    0x41,
    0x42,
    0x43,
    0x45,
    0x46,
    0x47,
    0x48,
    0x4a,
    0x58,
    0x59,
    0x5a,
  )
  .map((opcode) => Uint8Array.of(opcode))
const stack = fc.constantFrom(0x50, 0x80, 0x81, 0x82, 0x90, 0x91, 0x5b).map((opcode) => Uint8Array.of(opcode))
const log = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.array(anyWord, { minLength: 4, maxLength: 4 }), small, small)
  .map(([topics, words, size, offset]) =>
    concatBytes([...words.slice(0, topics).map(push), push(size), push(offset), Uint8Array.of(0xa0 + topics)]),
  )
/** An empty account, a precompiled contract, the program itself (ADDRESS), or its caller. */
const target = fc.oneof(
  fc.bigInt({ min: 0n, max: 20n }).map(push),
  fc.constant(push(0xc0ffeen)),
  fc.constantFrom(0x30, 0x33).map((opcode) => Uint8Array.of(opcode)),
)
const account = fc
  .tuple(target, fc.constantFrom(0x31, 0x3b, 0x3f))
  .map(([address, opcode]) => concatBytes([address, Uint8Array.of(opcode)]))
/** CALL and CALLCODE with a little value, DELEGATECALL, STATICCALL; with some gas, or all of it (GAS). */
const call = fc
  .tuple(
    fc.array(small, { minLength: 4, maxLength: 4 }),
    fc.bigInt({ min: 0n, max: 1n }),
    target,
    fc.oneof(fc.constant(Uint8Array.of(0x5a)), fc.bigInt({ min: 0n, max: 30_000n }).map(push)),
    fc.constantFrom(0xf1, 0xf2, 0xf4, 0xfa),
  )
  .map(([memoryRanges, value, address, gas, opcode]) =>
    concatBytes([
      ...memoryRanges.map(push),
      ...(opcode === 0xf1 || opcode === 0xf2 ? [push(value)] : []),
      address,
      gas,
      Uint8Array.of(opcode),
    ]),
  )
/** CREATE and CREATE2 with memory as init code, which is rarely valid. */
const creation = fc.oneof(
  withOperands(0xf0, [small, small, fc.bigInt({ min: 0n, max: 1n })]),
  withOperands(0xf5, [slot, small, small, fc.bigInt({ min: 0n, max: 1n })]),
)
/** Any byte: undefined opcodes, stack underflows, bad jumps. */
const noise = fc
  .integer({ min: 0, max: 255 })
  .filter((opcode) => opcode !== 0x40 && opcode !== 0x44)
  .map((opcode) => Uint8Array.of(opcode))
/** STOP, RETURN, REVERT, INVALID, SELFDESTRUCT to an empty account, or running past the end. */
const ending = fc.oneof(
  fc.constant(Uint8Array.of(0x00)),
  withOperands(0xf3, [small, small]),
  withOperands(0xfd, [small, small]),
  fc.constant(Uint8Array.of(0xfe)),
  withOperands(0xff, [fc.constant(0xc0ffeen)]),
  fc.constant(new Uint8Array()),
)

const instruction = fc.oneof(
  { weight: 6, arbitrary: arithmetic },
  { weight: 2, arbitrary: modular },
  { weight: 2, arbitrary: unary },
  { weight: 6, arbitrary: memory },
  { weight: 6, arbitrary: storage },
  { weight: 3, arbitrary: environment },
  { weight: 3, arbitrary: stack },
  { weight: 3, arbitrary: log },
  { weight: 2, arbitrary: account },
  { weight: 3, arbitrary: call },
  { weight: 2, arbitrary: creation },
  { weight: 1, arbitrary: noise },
)

/** A program of a few dozen EVM instructions, most of them meaningful. */
export const randomProgram: fc.Arbitrary<Hex> = fc
  .tuple(fc.array(instruction, { minLength: 5, maxLength: 40 }), ending)
  .map(([instructions, end]) => bytesToHex(concatBytes([...instructions, end])))

/** Init code that leaves `program` as the contract's code. */
export function deploying(program: Hex): Hex {
  const code = hexToBytes(program)
  const size = push(BigInt(code.length))
  // PUSH size, DUP1, PUSH1 offset, PUSH0, CODECOPY, PUSH0, RETURN
  const head = concatBytes([size, Uint8Array.of(0x80, 0x60, size.length + 7, 0x5f, 0x39, 0x5f, 0xf3)])
  return bytesToHex(concatBytes([head, code]))
}
