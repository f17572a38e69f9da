import { type Address, toQuantity } from '#primitives/hex.ts'
import { delegatedAccounts } from '../../../fork/delegated-accounts.ts'
import { removeCode, setBalance } from '../../../state/edit-account.ts'
import { guardFor } from '../../caller-guard.ts'
import type { CallerContext } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'

/** Remembers the chain; the snapshot's id. */
export const takeSnapshot = ({ control }: CallerContext) => control.snapshot()

/** Goes back to a snapshot; `false` if there is none with that id. */
export const revertToSnapshot = ({ control }: CallerContext, id: bigint) => control.revertTo(toQuantity(id))

/**
 * Starts the chain over, and forgets what was set on the node. A fork begins with usable development accounts again.
 *
 * @param to - The snapshot that it begins with; default block 0.
 * @param kept - Snapshots that stay besides.
 * @throws {RpcRefusedError} `server`, if there is no such snapshot; nothing has changed.
 */
export async function resetNode(context: CallerContext, to?: bigint, kept?: readonly bigint[]): Promise<void> {
  const { bundles, control, fork, impersonated, settings } = context
  if (to === undefined) await control.reset()
  else if (!(await control.resetTo(toQuantity(to), kept?.map(toQuantity)))) {
    const why = 'going back to an earlier one, or starting over, forgets it'
    throw new RpcRefusedError('server', `there is no snapshot ${toQuantity(to)}: ${why}`)
  }
  impersonated.clear()
  bundles.clear()
  settings.reset()
  if (fork && to === undefined) await prepareAccounts(context)
}

/**
 * Makes the development accounts what they are on a new chain, in the first block of the fork: those that have less get
 * their balance, and those that are delegated lose that code, as in Hardhat 3. Other accounts get what `fundAccounts` says.
 */
async function prepareAccounts(context: CallerContext): Promise<void> {
  const { caller, chain, control, spec } = context
  const { state } = chain.pending()
  const poor = spec.accounts
    .filter(({ address, balance }) => balance > (state.account(address)?.balance ?? 0n))
    .map(({ address, balance }) => [address, balance] as const)
  const funded = Object.entries(spec.funded) as [Address, bigint][]
  const delegated = delegatedAccounts(spec.accounts, state)
  if (poor.length === 0 && delegated.length === 0 && funded.length === 0) return
  await control.edit((edited) => {
    for (const address of delegated) removeCode(edited, address)
    for (const [address, balance] of [...poor, ...funded]) setBalance(edited, address, balance)
  })
  await control.seal(1, undefined, caller)
}

/** The state at `pending` as JSON. */
export async function dumpState(context: CallerContext) {
  const { state } = context.chain.pending()
  const { formatStateDump } = await import('./dumped-state.ts')
  return formatStateDump(state, guardFor(context))
}
