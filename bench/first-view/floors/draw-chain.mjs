import { createElement, Fragment } from 'react'
import { createRoot } from 'react-dom/client'

/** What `first-view.mjs` waits for. @param {boolean} sent @param {() => void} press */
export const drawChain = (sent, press) =>
  createElement(
    Fragment,
    null,
    createElement('header', null, 'Live, sealed to #0'),
    createElement(
      'main',
      null,
      createElement('section', { 'aria-label': 'Pending block' }, 'partial block 0'),
      createElement('button', { onClick: press }, 'Send transaction'),
      sent && createElement('p', null, '0.0100 ETH from'),
    ),
  )

export function root() {
  const element = document.getElementById('root')
  if (!element) throw new Error('the page has no root element')
  return createRoot(element)
}
