import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The link-local addresses, where clouds serve credentials to machines, and which no site can have. */
const forbidden = new BlockList()
forbidden.addSubnet('169.254.0.0', 16)
forbidden.addSubnet('fe80::', 10, 'ipv6')
forbidden.addAddress('fd00:ec2::254', 'ipv6')

/** The code of the error for a site at such an address. */
export const addressErrorCode = 'ADDRESS_REFUSED'

/** True for an address that nothing is ever sent to, in whichever spelling; false for a name. */
export function isForbidden(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && forbidden.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Resolves names, and refuses one that has such an address among its own: which of them is called is chance. */
export function guardLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (error === null && addresses.some(isForbidden)) done(createAddressError(), '')
      else done(error, found, family)
    })
}

/** Named no sooner than a name is to be resolved, for only then is it loaded. */
const systemLookup: LookupFunction = (...asked) => (lookup as LookupFunction)(...asked)

export function createAddressError(): NodeJS.ErrnoException {
  return Object.assign(new Error(addressErrorCode), { code: addressErrorCode })
}
