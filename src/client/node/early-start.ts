import { startNodeWorkerEarly } from './start-node-worker.ts'

// An entry of its own, of a kilobyte, which the page loads before its other scripts: the node's worker, which is as large as
// these, loads beside them. Where the address names a chain elsewhere, there will be no node.
if (!new URLSearchParams(location.search).has('rpc')) startNodeWorkerEarly()
