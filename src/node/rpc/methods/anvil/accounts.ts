import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { addBalance, setBalance, setNonce, setSlot } from '../../../state/edit-account.ts'
import type { WorldState } from '../../../state/world-state.ts'
import { code } from '../../calls/code-params.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address } from '../../params/hex-params.ts'
import { boolean } from '../../params/plain-params.ts'
import { MAX_IMPERSONATED } from '../../sending/impersonated-accounts.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { amount, wei, word } from './anvil-params.ts'
import { requireRoomForCode } from './code-budget.ts'

/** Below 2^64 − 1, which no transaction can have (EIP-2681). */
const nonce = amount(64)

/** Edits the state and seals the live block with it, so that both `pending` and `latest` show it. */
function editAndSeal({ control }: CallerContext, change: (state: WorldState) => void): Promise<void> {
  return control.edit(change, true)
}

const changeBalance = (context: CallerContext, account: Address, balance: bigint) =>
  editAndSeal(context, (state) => setBalance(state, account, balance))

const changeNonce = (context: CallerContext, account: Address, value: bigint) =>
  editAndSeal(context, (state) => setNonce(state, account, value))

const raiseNonce = (context: CallerContext, account: Address, value: bigint) =>
  editAndSeal(context, (state) => {
    const present = state.account(account)?.nonce ?? 0n
    if (value < present) {
      const problem = `New nonce (${value}) must not be smaller than the existing nonce (${present})`
      throw new RpcRefusedError('invalid-params', problem)
    }
    setNonce(state, account, value)
  })

function changeCode(context: CallerContext, account: Address, bytes: Uint8Array): Promise<void> {
  requireRoomForCode(context, bytes.length)
  return editAndSeal(context, (state) => state.setCode(account, bytes))
}

const changeSlot = (context: CallerContext, account: Address, slot: Hash, value: Hash) =>
  editAndSeal(context, (state) => setSlot(state, account, slot, hexToBytes(value)))

function impersonate({ impersonated }: CallerContext, account: Address): void {
  if (impersonated.add(account)) return
  const advice = 'stop some of them, or call anvil_autoImpersonateAccount'
  throw new RpcRefusedError(
    'limit-exceeded',
    `too many impersonated accounts: there are ${MAX_IMPERSONATED}, ${advice}`,
  )
}

/** Edits of accounts, and impersonation. */
export const ANVIL_ACCOUNT_METHODS = {
  /** An account's wei. */
  anvil_setBalance: defineMethod([address, wei], answeringNull(changeBalance)),
  hardhat_setBalance: defineMethod([address, wei], answeringTrue(changeBalance)),

  /** More wei for an account. */
  anvil_addBalance: defineMethod([address, wei], async (context, account, gift) => {
    await editAndSeal(context, (state) => addBalance(state, account, gift))
    return null
  }),

  /** An account's nonce, whatever it was. */
  anvil_setNonce: defineMethod([address, nonce], answeringNull(changeNonce)),

  /** A nonce that is not lower than the present one. */
  hardhat_setNonce: defineMethod([address, nonce], answeringTrue(raiseNonce)),

  /** An account's code. */
  anvil_setCode: defineMethod([address, code], answeringNull(changeCode)),
  hardhat_setCode: defineMethod([address, code], answeringTrue(changeCode)),

  /** One slot of an account. */
  anvil_setStorageAt: defineMethod([address, word, word], answeringTrue(changeSlot)),
  hardhat_setStorageAt: defineMethod([address, word, word], answeringTrue(changeSlot)),

  /** Transactions of an account without its key. */
  anvil_impersonateAccount: defineMethod([address], answeringNull(impersonate)),
  hardhat_impersonateAccount: defineMethod([address], answeringTrue(impersonate)),

  /** The end of that. */
  anvil_stopImpersonatingAccount: defineMethod([address], ({ impersonated }, account) => {
    impersonated.remove(account)
    return null
  }),

  /** Whether there was something to end. */
  hardhat_stopImpersonatingAccount: defineMethod([address], ({ impersonated }, account) => {
    const was = impersonated.all().includes(account)
    impersonated.remove(account)
    return was
  }),

  /** Transactions of every account. */
  anvil_autoImpersonateAccount: defineMethod([boolean], ({ impersonated }, enabled) => {
    impersonated.setAuto(enabled)
    return null
  }),
} satisfies Partial<MethodTable>
