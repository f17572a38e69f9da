import type { RpcLog } from '#rpc-types/objects.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { findLogs, findLogTexts } from '../../logs/find-logs.ts'
import { type LogQuery, logQuery } from '../../logs/log-filter-params.ts'
import { optional } from '../../params/param.ts'
import { boolean, rpcId } from '../../params/plain-params.ts'

/** The logs of a query, on a fork with those from before it. */
export function logsOf(context: CallerContext, query: LogQuery): Promise<readonly RpcLog[]> {
  const own = (fromBlock = query.fromBlock) => findLogs(context, { ...query, fromBlock })
  return context.fork ? context.fork.logs(query, own) : own()
}

/** The owner of a filter. */
const clientOf = ({ caller }: CallerContext) => caller.client ?? caller

/** Logs and filters. */
export const ETH_LOG_METHODS = {
  /** The logs of a block or a range, by default of the head; `toBlock: pending` adds pre-confirmed ones. */
  eth_getLogs: defineMethod(
    [logQuery],
    // A fork puts the logs of the other chain before them.
    (context, query) => (context.fork ? findLogs(context, query) : findLogTexts(context, query)),
    { queue: 'answer' },
  ),

  /** A filter to poll for future logs. */
  eth_newFilter: defineMethod([logQuery], (context, query) => context.filters.addLogs(query, clientOf(context))),

  /** A filter to poll for hashes of sealed blocks. */
  eth_newBlockFilter: defineMethod([], (context) => context.filters.addBlocks(clientOf(context))),

  /** A filter to poll for pooled transactions. */
  eth_newPendingTransactionFilter: defineMethod([optional(boolean, false)], (context, full) =>
    context.filters.addTransactions(full, clientOf(context)),
  ),

  /** Changes since the last poll. */
  eth_getFilterChanges: defineMethod([rpcId], ({ filters }, id) => filters.poll(id), { queue: 'answer' }),

  /** All logs of a filter's query, polled or not. */
  eth_getFilterLogs: defineMethod(
    [rpcId],
    (context, id) => {
      const query = context.filters.query(id)
      return context.fork ? logsOf(context, query) : findLogTexts(context, query)
    },
    { queue: 'answer', readsPending: true },
  ),

  /** `false` if there is no such filter. */
  eth_uninstallFilter: defineMethod([rpcId], ({ filters }, id) => filters.remove(id)),
} satisfies Partial<MethodTable>
