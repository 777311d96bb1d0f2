/** Decides which addresses are on the public network. */
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The error for a host with an address that is not on the public network. The host may be that address, or resolve to
 * it.
 */
export class PrivateAddress extends Error {}

/**
 * The part of IPv6 that is assigned so far. Only addresses of this part count as public. This is needed since the
 * library treats ::7f00:1, an old form of 127.0.0.1, as a normal address.
 */
const HANDED_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is on the public network. Addresses with a special meaning are not: loopback, private, link-local,
 * carrier-grade NAT, multicast and documentation. Neither are the ranges of IPv6 that contain an IPv4 address (NAT64,
 * 6to4, Teredo), since that address may be private. An IPv4 address that is mapped into IPv6 is judged as IPv4.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(HANDED_OUT)
}

export type LookUp = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Looks up the addresses of a host for a connection. Reports PrivateAddress if any of them is not public. */
export function publicLookUp(system: LookUp = lookUp): LookupFunction {
  return (host, options, done) => {
    system(host, { ...options, all: true }, (error, addresses) => {
      const closed = addresses?.find(({ address }) => !isPublic(address))
      const refused = error ?? (closed && privateAddress(host, closed.address))
      if (refused) return done(refused, '')
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first!.address, first!.family)
    })
  }
}

/**
 * Checks that a host that is written as an address is public. Looks up nothing.
 *
 * @throws PrivateAddress
 */
export function assertPublic(host: string): void {
  const address = bareHost(host)
  if (isIP(address) !== 0 && !isPublic(address)) throw privateAddress(host, address)
}

/** The host of a URL without the brackets around an IPv6 address. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '')

const privateAddress = (host: string, address: string) =>
  new PrivateAddress(
    host === address
      ? `${address} is not a public address`
      : `${host} leads to ${address}, which is not a public address`,
  )
