import type { DevKey } from './dev-keys.ts'

/** The ten accounts of the development mnemonic after {@link DEV_KEYS}. A file of its own: the page's first view needs only those. */
export const NEXT_DEV_KEYS: readonly DevKey[] = [
  {
    address: '0xbcd4042de499d14e55001ccbb24a551f3b954096',
    privateKey: '0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897',
  },
  {
    address: '0x71be63f3384f5fb98995898a86b02fb2426c5788',
    privateKey: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
  },
  {
    address: '0xfabb0ac9d68b0b445fb7357272ff202c5651694a',
    privateKey: '0xa267530f49f8280200edf313ee7af6b827f2a8bce2897751d06a843f644967b1',
  },
  {
    address: '0x1cbd3b2770909d4e10f157cabc84c7264073c9ec',
    privateKey: '0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd',
  },
  {
    address: '0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097',
    privateKey: '0xc526ee95bf44d8fc405a158bb884d9d1238d99f0612e9f33d006bb0789009aaa',
  },
  {
    address: '0xcd3b766ccdd6ae721141f452c550ca635964ce71',
    privateKey: '0x8166f546bab6da521a8369cab06c5d2b9e46670292d85c875ee9ec20e84ffb61',
  },
  {
    address: '0x2546bcd3c84621e976d8185a91a922ae77ecec30',
    privateKey: '0xea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0',
  },
  {
    address: '0xbda5747bfd65f08deb54cb465eb87d40e51b197e',
    privateKey: '0x689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd',
  },
  {
    address: '0xdd2fd4581271e230360230f9337d5c0430bf44c0',
    privateKey: '0xde9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0',
  },
  {
    address: '0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199',
    privateKey: '0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e',
  },
]
