import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import type { ServiceRequest } from '../service/request.js'
import type { Administrator } from './field-world.js'
import { readTexts } from './texts.js'

/** Reads the administrator from a `configure` request. Service §4.3. */
export function readAdministrator(request: ServiceRequest, key: string): Administrator {
  const texts = readTexts(request)
  const salt = createHmac('sha256', key).update('salt').digest('hex')
  return {
    username: texts.get('username') ?? '',
    salt,
    digest: computePasswordDigest(texts.get('password') ?? '', salt).toString('hex'),
  }
}

/** True if a request has the name and the password of the administrator. */
export function isAdministrator(administrator: Administrator, request: ServiceRequest): boolean {
  const texts = readTexts(request)
  const digest = computePasswordDigest(texts.get('password') ?? '', administrator.salt)
  const known = timingSafeEqual(digest, Buffer.from(administrator.digest, 'hex'))
  return known && texts.get('username') === administrator.username
}

// Some ten milliseconds: slow enough against guessing, and fast enough for thousands of sites.
function computePasswordDigest(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 })
}
