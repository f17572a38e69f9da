import { type Address, type Hash, hexToBytes } from '#primitives/hex.ts'
import { addBalance, setBalance, setNonce, setSlot } from '../../../state/edit-account.ts'
import type { WorldState } from '../../../state/world-state.ts'
import { code } from '../../calls/code-params.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address } from '../../params/hex-params.ts'
import { boolean } from '../../params/plain-params.ts'
import { MAX_IMPERSONATED } from '../../sending/impersonated-accounts.ts'
import { requireRoomForCode } from '../devnet/state.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { amount, wei, word } from './dev-params.ts'

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

/** `anvil_setBalance`: an account's wei. */
export const anvilSetBalance = defineMethod('anvil_setBalance', [address, wei], answeringNull(changeBalance))
/** `hardhat_setBalance`: the same. */
export const hardhatSetBalance = defineMethod('hardhat_setBalance', [address, wei], answeringTrue(changeBalance))

/** `anvil_addBalance`: more wei for an account. */
export const anvilAddBalance = defineMethod('anvil_addBalance', [address, wei], async (context, account, gift) => {
  await editAndSeal(context, (state) => addBalance(state, account, gift))
  return null
})

/** `anvil_setNonce`: an account's nonce, whatever it was. */
export const anvilSetNonce = defineMethod('anvil_setNonce', [address, nonce], answeringNull(changeNonce))

/** `hardhat_setNonce`: a nonce that is not lower than the present one. */
export const hardhatSetNonce = defineMethod('hardhat_setNonce', [address, nonce], answeringTrue(raiseNonce))

/** `anvil_setCode`: an account's code. */
export const anvilSetCode = defineMethod('anvil_setCode', [address, code], answeringNull(changeCode))
/** `hardhat_setCode`: the same. */
export const hardhatSetCode = defineMethod('hardhat_setCode', [address, code], answeringTrue(changeCode))

/** `anvil_setStorageAt`: one slot of an account. */
export const anvilSetStorageAt = defineMethod('anvil_setStorageAt', [address, word, word], answeringTrue(changeSlot))
/** `hardhat_setStorageAt`: the same. */
export const hardhatSetStorageAt = defineMethod(
  'hardhat_setStorageAt',
  [address, word, word],
  answeringTrue(changeSlot),
)

/** `anvil_impersonateAccount`: transactions of an account without its key. */
export const anvilImpersonateAccount = defineMethod('anvil_impersonateAccount', [address], answeringNull(impersonate))
/** `hardhat_impersonateAccount`: the same. */
export const hardhatImpersonateAccount = defineMethod(
  'hardhat_impersonateAccount',
  [address],
  answeringTrue(impersonate),
)

/** `anvil_stopImpersonatingAccount`: the end of that. */
export const anvilStopImpersonatingAccount = defineMethod(
  'anvil_stopImpersonatingAccount',
  [address],
  ({ impersonated }, account) => {
    impersonated.remove(account)
    return null
  },
)

/** `hardhat_stopImpersonatingAccount`: whether there was something to end. */
export const hardhatStopImpersonatingAccount = defineMethod(
  'hardhat_stopImpersonatingAccount',
  [address],
  ({ impersonated }, account) => {
    const was = impersonated.all().includes(account)
    impersonated.remove(account)
    return was
  },
)

/** `anvil_autoImpersonateAccount`: transactions of every account. */
export const anvilAutoImpersonateAccount = defineMethod(
  'anvil_autoImpersonateAccount',
  [boolean],
  ({ impersonated }, enabled) => {
    impersonated.setAuto(enabled)
    return null
  },
)
