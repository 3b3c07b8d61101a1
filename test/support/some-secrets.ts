/** Secrets that satisfy the rules of the service, for commands that need some. */
export const someSecrets = {
  LANDFORM_ADMIN_PASSWORD: 'Correct-horse-1',
  LANDFORM_SECURITY_ANSWER: 'lighthouse keeper',
  LANDFORM_TOKEN: 'token-of-the-test',
} as const
