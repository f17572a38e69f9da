import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { isObject } from '#primitives/json-object.ts'
import { quote } from '../../../spec/parse-option.ts'
import { EMPTY_CODE_HASH, type StateReader } from '../../../state/state-reader.ts'
import type { StateSnapshot } from '../../../state/state-snapshot.ts'
import { mapInSlices, portionsOf } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { blockRef, requireStateBlock } from '../../params/block-params.ts'
import { address, parseAddress } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'

/** Most slots per `eth_getProof` or `eth_getStorageValues`, as in geth. */
const MAX_SLOTS = 1024
const WORD_DIGITS = 64

/** A storage slot and its form in the answer. */
interface SlotArg {
  readonly slot: Hash
  /** As in geth: 32 bytes stay as they are, even without their first zero; anything shorter becomes a quantity. */
  readonly shown: Hex
}

/** A storage slot: up to 32 bytes, leading zeros and prefix optional. */
const slot: Param<SlotArg> = { parse: parseSlot }

/** The slots of `eth_getProof`. */
const slots: Param<readonly SlotArg[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), 'value of type []string')
    if (value.length > MAX_SLOTS) throw new ParamError(`too many slots (max ${MAX_SLOTS})`)
    return value.map(parseSlot)
  },
}

/** The slots of `eth_getStorageValues`, by account. */
const slotsByAccount: Param<ReadonlyMap<Address, readonly SlotArg[]>> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type map[common.Address][]common.Hash')
    const wanted = new Map(Object.entries(value).map(([account, keys]) => [parseAddress(account), slots.parse(keys)]))
    const count = [...wanted.values()].reduce((sum, { length }) => sum + length, 0)
    if (count > MAX_SLOTS) throw new ParamError(`too many slots (max ${MAX_SLOTS})`)
    if (count === 0) throw new RpcRefusedError('invalid-params', 'empty request')
    return wanted
  },
}

function parseSlot(value: unknown): SlotArg {
  if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
  const digits = value.replace(/^0x/i, '').toLowerCase()
  if (digits.length > WORD_DIGITS) throw refused('storage key too long (want at most 32 bytes)', value)
  if (!/^[0-9a-f]*$/.test(digits)) throw refused('invalid hex in storage key', value)
  const word: Hash = `0x${digits.padStart(WORD_DIGITS, '0')}`
  return { slot: word, shown: digits.length > WORD_DIGITS - 2 ? word : toQuantity(BigInt(word)) }
}

/** Geth finds these errors in the method itself, so it does not say which argument it was. */
function refused(message: string, key: string): RpcRefusedError {
  return new RpcRefusedError('invalid-params', `${message}: ${quote(key)}`)
}

/** How many slots are proved without a pause. */
const SLOTS_PER_PORTION = 16

/** Accounts, their storage, and proofs of both. */
export const ETH_STATE_METHODS = {
  /** Wei held by an account at a block. */
  eth_getBalance: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) =>
    toQuantity(requireStateBlock(context, ref).state.account(account)?.balance ?? 0n),
  ),

  /** An account's nonce; at `pending` the next one to use, counting pooled transactions. */
  eth_getTransactionCount: defineMethod(
    [address, optional(blockRef, 'latest')],
    (context, account, ref) => {
      if (ref === 'pending') return toQuantity(context.pool.pendingNonce(account))
      return toQuantity(requireStateBlock(context, ref).state.account(account)?.nonce ?? 0n)
    },
    { readsPending: false },
  ),

  /** An account's code at a block. */
  eth_getCode: defineMethod([address, optional(blockRef, 'latest')], (context, account, ref) =>
    bytesToHex(requireStateBlock(context, ref).state.code(account)),
  ),

  /** The 32 bytes of a slot at a block. */
  eth_getStorageAt: defineMethod([address, slot, optional(blockRef, 'latest')], (context, account, key, ref) =>
    slotWord(requireStateBlock(context, ref).state, account, key),
  ),

  /** Many slots of many accounts at one block. */
  eth_getStorageValues: defineMethod([slotsByAccount, optional(blockRef, 'latest')], (context, wanted, ref) => {
    const { state } = requireStateBlock(context, ref)
    const words = Array.from(wanted, ([account, keys]): [Address, readonly Hash[]] => [
      account,
      keys.map((key) => slotWord(state, account, key)),
    ])
    return Object.fromEntries(words)
  }),

  /**
   * An account and some of its slots, with proofs against the block's `stateRoot`.
   *
   * @see {@link https://eips.ethereum.org/EIPS/eip-1186 | EIP-1186}
   */
  eth_getProof: defineMethod(
    [address, slots, optional(blockRef, 'latest')],
    async (context, account, keys, ref) => {
      const { state } = requireStateBlock(context, ref)
      const proof = state.prove(account, [])
      const storageProof = await mapInSlices(
        portionsOf(keys, SLOTS_PER_PORTION),
        (portion) => proveSlots(state, account, portion),
        guardFor(context),
      )
      return {
        address: account,
        accountProof: proof.accountProof.map(bytesToHex),
        balance: toQuantity(proof.account?.balance ?? 0n),
        codeHash: proof.account?.codeHash ?? EMPTY_CODE_HASH,
        nonce: toQuantity(proof.account?.nonce ?? 0n),
        storageHash: proof.storageHash,
        storageProof: storageProof.flat(),
      }
    },
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

function slotWord(state: StateReader, account: Address, { slot: key }: SlotArg): Hash {
  return toWord(bytesToBigInt(state.storage(account, key)))
}

function proveSlots(state: StateSnapshot, account: Address, keys: readonly SlotArg[]) {
  const { storageProof } = state.prove(
    account,
    keys.map((key) => key.slot),
  )
  return storageProof.map(({ value, proof }, i) => {
    const key = keys[i]
    invariant(key, 'there is one storage proof for each key')
    return { key: key.shown, value: toQuantity(bytesToBigInt(value)), proof: proof.map(bytesToHex) }
  })
}
