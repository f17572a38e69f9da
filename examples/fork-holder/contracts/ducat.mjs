// Made by solc 0.8.37 from Ducat.sol, with the optimizer.
export const DUCAT = /** @type {const} */ ({
  abi: [
    {
      inputs: [
        { internalType: 'address', name: 'holder', type: 'address' },
        { internalType: 'uint256', name: 'supply', type: 'uint256' },
      ],
      stateMutability: 'nonpayable',
      type: 'constructor',
    },
    {
      inputs: [
        { internalType: 'address', name: 'sender', type: 'address' },
        { internalType: 'uint256', name: 'balance', type: 'uint256' },
        { internalType: 'uint256', name: 'needed', type: 'uint256' },
      ],
      name: 'ERC20InsufficientBalance',
      type: 'error',
    },
    {
      anonymous: false,
      inputs: [
        { indexed: true, internalType: 'address', name: 'from', type: 'address' },
        { indexed: true, internalType: 'address', name: 'to', type: 'address' },
        { indexed: false, internalType: 'uint256', name: 'value', type: 'uint256' },
      ],
      name: 'Transfer',
      type: 'event',
    },
    {
      inputs: [{ internalType: 'address', name: '', type: 'address' }],
      name: 'balanceOf',
      outputs: [{ internalType: 'uint256', name: '', type: 'uint256' }],
      stateMutability: 'view',
      type: 'function',
    },
    {
      inputs: [],
      name: 'decimals',
      outputs: [{ internalType: 'uint8', name: '', type: 'uint8' }],
      stateMutability: 'view',
      type: 'function',
    },
    {
      inputs: [],
      name: 'name',
      outputs: [{ internalType: 'string', name: '', type: 'string' }],
      stateMutability: 'view',
      type: 'function',
    },
    {
      inputs: [],
      name: 'symbol',
      outputs: [{ internalType: 'string', name: '', type: 'string' }],
      stateMutability: 'view',
      type: 'function',
    },
    {
      inputs: [],
      name: 'totalSupply',
      outputs: [{ internalType: 'uint256', name: '', type: 'uint256' }],
      stateMutability: 'view',
      type: 'function',
    },
    {
      inputs: [
        { internalType: 'address', name: 'to', type: 'address' },
        { internalType: 'uint256', name: 'value', type: 'uint256' },
      ],
      name: 'transfer',
      outputs: [{ internalType: 'bool', name: '', type: 'bool' }],
      stateMutability: 'nonpayable',
      type: 'function',
    },
  ],
  bytecode:
    '0x6080604052348015600e575f5ffd5b5060405161039a38038061039a833981016040819052602b916083565b5f8181556001600160a01b038316808252600160209081526040808420859055518481529192917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef910160405180910390a3505060b8565b5f5f604083850312156093575f5ffd5b82516001600160a01b038116811460a8575f5ffd5b6020939093015192949293505050565b6102d5806100c55f395ff3fe608060405234801561000f575f5ffd5b5060043610610060575f3560e01c806306fdde031461006457806318160ddd1461009e578063313ce567146100b457806370a08231146100ce57806395d89b41146100ed578063a9059cbb1461010f575b5f5ffd5b61008860405180604001604052806005815260200164111d58d85d60da1b81525081565b6040516100959190610203565b60405180910390f35b6100a65f5481565b604051908152602001610095565b6100bc601281565b60405160ff9091168152602001610095565b6100a66100dc366004610253565b60016020525f908152604090205481565b6100886040518060400160405280600381526020016244554360e81b81525081565b61012261011d366004610273565b610132565b6040519015158152602001610095565b335f90815260016020526040812054828110156101765760405163391434e360e21b8152336004820152602481018290526044810184905260640160405180910390fd5b61018083826102af565b335f90815260016020526040808220929092556001600160a01b038616815290812080548592906101b29084906102c2565b90915550506040518381526001600160a01b0385169033907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a360019150505b92915050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b038116811461024e575f5ffd5b919050565b5f60208284031215610263575f5ffd5b61026c82610238565b9392505050565b5f5f60408385031215610284575f5ffd5b61028d83610238565b946020939093013593505050565b634e487b7160e01b5f52601160045260245ffd5b818103818111156101fd576101fd61029b565b808201808211156101fd576101fd61029b56',
  storageLayout: {
    storage: [
      { label: 'totalSupply', offset: 0, slot: '0', type: 't_uint256' },
      { label: 'balanceOf', offset: 0, slot: '1', type: 't_mapping(t_address,t_uint256)' },
    ],
    types: {
      t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
      't_mapping(t_address,t_uint256)': {
        encoding: 'mapping',
        key: 't_address',
        label: 'mapping(address => uint256)',
        numberOfBytes: '32',
        value: 't_uint256',
      },
      t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
    },
  },
})
