import type { JsonPointer } from '../diagnostics/pointer.js'

/** The places in a manifest of the answers in a property file. */
export const answerPlaces = {
  name: '/metadata/name',
  url: '/spec/site/url',
  profile: '/spec/profile',
  username: '/spec/administrator/username',
  email: '/spec/administrator/email',
  'full-name': '/spec/administrator/fullName',
  'user-type': '/spec/administrator/userType',
  question: '/spec/administrator/securityQuestion/index',
  license: '/spec/license/file',
  'server-license': '/spec/license/serverFile',
} as const satisfies Readonly<Record<string, JsonPointer>>
