import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import type { ServiceRequest } from '../service/request.js'
import type { Administrator } from './field-world.js'
import { textsOf } from './texts.js'

/** Reads the administrator from a `configure` request. Service §4.3. */
export function administratorOf(request: ServiceRequest, key: string): Administrator {
  const texts = textsOf(request)
  const salt = createHmac('sha256', key).update('salt').digest('hex')
  return {
    username: texts.get('username') ?? '',
    salt,
    digest: digestOf(texts.get('password') ?? '', salt).toString('hex'),
  }
}

/** True if a request has the name and the password of the administrator. */
export function isFrom(administrator: Administrator, request: ServiceRequest): boolean {
  const texts = textsOf(request)
  const digest = digestOf(texts.get('password') ?? '', administrator.salt)
  const known = timingSafeEqual(digest, Buffer.from(administrator.digest, 'hex'))
  return known && texts.get('username') === administrator.username
}

// Some ten milliseconds: slow enough against guessing, and fast enough for thousands of sites.
function digestOf(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 })
}
