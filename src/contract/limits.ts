/** The limits that the service states. Service §8, §4.3. */
export const limits = {
  usernameCharacters: 6,
  passwordCharacters: 8,
  volumes: 8,
} as const

/** The required characters of a password. Service §4.3, §8. */
export const passwordNeeds = { letter: /[A-Za-z]/, digit: /[0-9]/ } as const
