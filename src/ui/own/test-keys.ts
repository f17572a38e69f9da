/** A warning about the development accounts. */
export const TEST_KEYS = 'Public test keys: anyone can use them. Never send real money there.'
