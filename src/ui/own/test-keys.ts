/** A warning about the development accounts. */
export const TEST_KEYS = 'Public test keys: anyone can use them. Never send real money there.'

/** Why an impersonated account has no key to copy or export. */
export const NO_KEY =
  'There is no key to copy or to export: the chain sends for this account without one, and what it signs is valid on this chain alone.'
