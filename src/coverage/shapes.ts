import { shapeOfText } from '#solidity/source/shape.ts'

/** Comments, strings, words and numbers. */
const TOKENS = /\/\/[^\n\r]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]+|[.,;()[\]{}\s]+/g
/** Words for what code does. */
const KEPT =
  /^(?:["']|(?:if|else|for|while|do|return|break|continue|try|catch|require|revert|assert|new|delete|emit|true|false)$)/
const ROUGHLY = 'roughly '

/**
 * What a statement does, whatever it is about: without names and numbers and, roughly, also without the ways in which calls and
 * operands are written. Statements that differ roughly do not compile to the same code.
 */
export function shapesOfText(text: string): readonly string[] {
  const rough = text.replaceAll(TOKENS, (token) => (KEPT.test(token) ? ` ${token} ` : ''))
  return [`${ROUGHLY}${rough}`, shapeOfText(text)]
}

export function isRough(shape: string): boolean {
  return shape.startsWith(ROUGHLY)
}
