/** ABIs of ERC-4337's entry points, in a file of their own so that they are loaded when needed. */
export { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction'
