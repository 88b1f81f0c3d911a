/** Which sign-in a driver's usage limits belong to. */
export function credentialOf(driver: string): string {
  return driver
}
