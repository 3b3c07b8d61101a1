import type { secretProperties } from '../contract/configure-properties.js'
import type { JsonPointer } from '../schema/pointer.js'

type SecretName = (typeof secretProperties)[number]

/** The place of each secret, and its variable in a new manifest. */
export const secretPlaces: Readonly<
  Record<SecretName, { readonly pointer: JsonPointer; readonly variable: string }>
> = {
  ADMIN_PASSWORD: { pointer: '/spec/administrator/password', variable: 'LANDFORM_ADMIN_PASSWORD' },
  SECURITY_QUESTION_ANSWER: {
    pointer: '/spec/administrator/securityQuestion/answer',
    variable: 'LANDFORM_SECURITY_ANSWER',
  },
}

/** True for a property that holds a secret, in clear or encrypted. */
export function isSecret(name: string): name is SecretName {
  return Object.hasOwn(secretPlaces, name)
}
