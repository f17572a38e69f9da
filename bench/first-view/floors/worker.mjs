// The floor of a page that React draws once a worker has answered: it says that it is there, is told to begin, and says
// that it has begun; a press asks it once more.
import { createElement, useEffect, useState } from 'react'
import { drawChain, root } from './draw-chain.mjs'

const worker = new Worker(new URL('answering-worker.mjs', import.meta.url), { type: 'module' })

function Page() {
  const [state, setState] = useState('starting')
  useEffect(() => {
    worker.onmessage = ({ data }) => (data === 'there' ? worker.postMessage('begun') : setState(data))
  }, [])
  if (state === 'starting') return createElement('p', null, 'Starting')
  return drawChain(state === 'sent', () => worker.postMessage('sent'))
}

root().render(createElement(Page))
