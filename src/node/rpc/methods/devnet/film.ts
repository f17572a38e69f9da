import { toQuantity } from '#primitives/hex.ts'
import { guardFor } from '../../caller-guard.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { integerWithin } from '../../params/plain-params.ts'

const moment = integerWithin(0, Number.MAX_SAFE_INTEGER)

/** The moments of a film. */
export const DEVNET_FILM_METHODS = {
  /** The film's moments, as runs of partial blocks. */
  devnet_getMoments: defineMethod(
    [],
    async (context) => {
      const { film } = context
      if (!film) return null
      const runs = await film.runs(guardFor(context))
      return {
        count: runs.reduce((sum, { transactions }) => sum + transactions.length, 0),
        shown: await film.shown(guardFor(context)),
        runs: runs.map((run) => ({ ...run, number: toQuantity(run.number) })),
        hiddenBlocks: film.hiddenBlocks,
      }
    },
    { queue: 'trace' },
  ),

  /** Shows another moment. */
  devnet_showMoment: defineMethod(
    [moment],
    async (context, wanted) => {
      const { film } = context
      if (!film) throw new RpcRefusedError('server', 'this chain is no film: open a chain file with blinknet open')
      const shown = await film.show(wanted, guardFor(context))
      if (!shown) throw new RpcRefusedError('invalid-params', `the film has no moment ${wanted}`)
      return { ...shown, number: toQuantity(shown.number) }
    },
    { queue: 'trace' },
  ),
} satisfies Partial<MethodTable>
