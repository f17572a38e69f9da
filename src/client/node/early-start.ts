import { startNodeWorkerEarly } from './start-node-worker.ts'

// An entry of its own, of a kilobyte, which the page loads before its other scripts: the node's worker, which is as large as
// these, loads beside them. Where the address names a chain elsewhere, or the page shows that of its server, there will be no node.
const isServed = document.documentElement.dataset['page'] === 'served'
if (!isServed && !new URLSearchParams(location.search).has('rpc')) startNodeWorkerEarly()
