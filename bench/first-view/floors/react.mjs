// The floor of a page that React draws.
import { createElement, useState } from 'react'
import { drawChain, root } from './draw-chain.mjs'

function Page() {
  const [sent, setSent] = useState(false)
  return drawChain(sent, () => setSent(true))
}

root().render(createElement(Page))
