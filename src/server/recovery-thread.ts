import { parentPort } from 'node:worker_threads'
import { answerRecovery, READY } from '#node/crypto/recovery-helpers.ts'

// The thread that recovers senders for the node's own, when many transactions come in at a time.
parentPort?.on('message', (message: Uint8Array) => parentPort?.postMessage(answerRecovery(message)))
parentPort?.postMessage(READY)
