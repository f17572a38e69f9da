// The floor of a page that writes what `first-view.mjs` waits for, and nothing else.
/** @param {string} name @param {string} text */
function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

const block = element('section', 'partial block 0')
block.setAttribute('aria-label', 'Pending block')
const button = element('button', 'Send transaction')
const main = document.createElement('main')
main.append(block, button)
button.addEventListener('click', () => main.append(element('p', '0.0100 ETH from')))
document.getElementById('root')?.append(element('header', 'Live, sealed to #0'), main)
