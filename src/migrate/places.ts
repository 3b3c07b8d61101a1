import type { secretProperties } from '../contract/configure-properties.js'
import type { JsonPointer } from '../diagnostics/pointer.js'

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

/** The places in a manifest of the answers in a property file. */
export const answerPlaces = {
  name: '/metadata/name',
  url: '/spec/site/url',
  'service-version': '/spec/site/version',
  profile: '/spec/profile',
  'availability-profile': '/spec/deploymentProfiles/availability/name',
  'performance-profile': '/spec/deploymentProfiles/performance/name',
  username: '/spec/administrator/username',
  email: '/spec/administrator/email',
  'full-name': '/spec/administrator/fullName',
  'user-type': '/spec/administrator/userType',
  question: '/spec/administrator/securityQuestion/index',
  license: '/spec/license/file',
  'server-license': '/spec/license/serverFile',
} as const satisfies Readonly<Record<string, JsonPointer>>
