/** @type {{ onmessage: (event: MessageEvent<string>) => void, postMessage: (message: string) => void }} */
const scope = /** @type {any} */ (globalThis)
scope.onmessage = ({ data }) => scope.postMessage(data)
scope.postMessage('there')
