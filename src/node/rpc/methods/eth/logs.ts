import { type CallerContext, defineMethod } from '../../define-method.ts'
import { findLogs } from '../../logs/find-logs.ts'
import { logQuery } from '../../logs/log-filter-params.ts'
import { optional } from '../../params/param.ts'
import { boolean, rpcId } from '../../params/plain-params.ts'

/** Whose filter it is. */
const clientOf = ({ caller }: CallerContext) => caller.client ?? caller

/** `eth_getLogs`: of a block or of a range, by default of the head; `toBlock: pending` adds the pre-confirmed ones. */
export const ethGetLogs = defineMethod('eth_getLogs', [logQuery], findLogs)

/** `eth_newFilter`: logs to come, to be polled. */
export const ethNewFilter = defineMethod('eth_newFilter', [logQuery], (context, query) =>
  context.filters.addLogs(query, clientOf(context)),
)

/** `eth_newBlockFilter`: hashes of sealed blocks, to be polled. */
export const ethNewBlockFilter = defineMethod('eth_newBlockFilter', [], (context) =>
  context.filters.addBlocks(clientOf(context)),
)

/** `eth_newPendingTransactionFilter`: pooled transactions, to be polled. */
export const ethNewPendingTransactionFilter = defineMethod(
  'eth_newPendingTransactionFilter',
  [optional(boolean, false)],
  (context, full) => context.filters.addTransactions(full, clientOf(context)),
)

/** `eth_getFilterChanges`: what happened since the poll before. */
export const ethGetFilterChanges = defineMethod('eth_getFilterChanges', [rpcId], ({ filters }, id) => filters.poll(id))

/** `eth_getFilterLogs`: all logs that a filter's query selects, polled or not. */
export const ethGetFilterLogs = defineMethod('eth_getFilterLogs', [rpcId], (context, id) =>
  findLogs(context, context.filters.query(id)),
)

/** `eth_uninstallFilter`: `false` if there is no such filter. */
export const ethUninstallFilter = defineMethod('eth_uninstallFilter', [rpcId], ({ filters }, id) => filters.remove(id))
