/** Signing with development and impersonated accounts, and wallet basics. Method → positional parameters and result. */
export interface AccountMethods {}
