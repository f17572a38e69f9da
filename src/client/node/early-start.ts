import { startNodeWorkerEarly } from './start-node-worker.ts'

// A separate entry of one kilobyte, loaded before the page's other scripts. It starts loading the node's worker, which
// is as large as they are, in parallel. With a remote chain in the address, or on a page served by its node, there is no
// node here.
const isServed = document.documentElement.dataset['page'] === 'served'
if (!isServed && !new URLSearchParams(location.search).has('rpc')) startNodeWorkerEarly()
