import type { DebugMethods } from '#rpc-types/families/debug-methods.ts'
import type { MethodTable } from '../define-method.ts'
import { ethCreateAccessList } from '../methods/create-access-list.ts'
import { ethSimulateV1 } from '../methods/simulate.ts'
import { debugStorageRangeAt } from '../methods/storage-range.ts'
import {
  debugTraceBlockByHash,
  debugTraceBlockByNumber,
  debugTraceCall,
  debugTraceTransaction,
} from '../methods/trace.ts'

/** Does not compile while a method of the contract is missing. */
export const DEBUG_METHODS: MethodTable<keyof DebugMethods> = {
  debug_storageRangeAt: debugStorageRangeAt,
  debug_traceTransaction: debugTraceTransaction,
  debug_traceBlockByNumber: debugTraceBlockByNumber,
  debug_traceBlockByHash: debugTraceBlockByHash,
  debug_traceCall: debugTraceCall,
  eth_createAccessList: ethCreateAccessList,
  eth_simulateV1: ethSimulateV1,
}
