/** Hexadecimal text by its type in `#primitives/hex.ts`: its meaning, and its pattern in execution-apis. */
export const FORMATS: Readonly<Record<string, { readonly description: string; readonly pattern: string }>> = {
  Hex: { description: 'Bytes, two digits each.', pattern: '^0x([0-9a-f]{2})*$' },
  Quantity: { description: 'A number without leading zeros.', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' },
  Address: { description: '20 bytes, lowercase in responses.', pattern: '^0x[0-9a-fA-F]{40}$' },
  Hash: { description: '32 bytes: a hash, or a word.', pattern: '^0x[0-9a-f]{64}$' },
  BytesMax32: { description: 'At most 32 bytes, whose leading zeros may be left out.', pattern: '^0x[0-9a-f]{0,64}$' },
  Bytes8: { description: '8 bytes.', pattern: '^0x[0-9a-f]{16}$' },
  Bytes65: { description: '65 bytes: a signature, r ‖ s ‖ v.', pattern: '^0x[0-9a-f]{130}$' },
  Bytes256: { description: '256 bytes: a bloom filter.', pattern: '^0x[0-9a-f]{512}$' },
}
