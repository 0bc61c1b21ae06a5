import { BlockList, isIP, isIPv6 } from 'node:net'

// Blocks of the IANA IPv4 Special-Purpose Address Registry that are not globally reachable; multicast; reserved.
const privateV4 = blocks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

// IANA assigns global unicast addresses only from this block. `privateV6` lists the parts of it that lead elsewhere
// (Teredo and other protocols, 6to4) and the ranges for documentation and of the former 6bone.
const internetV6 = blocks('ipv6', ['2000::/3'])
const privateV6 = blocks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'])

/** Prefix under which the name servers of IPv6-only networks return IPv4 addresses, in the last 32 bits (RFC 6052). */
const translated = blocks('ipv6', ['64:ff9b::/96'])

const loopback = blocks('ipv4', ['127.0.0.0/8'])
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address, without brackets, is public: neither private nor special-purpose. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone (`%eth0`) is link-local and therefore never public, whatever it looks like.
  if (address.includes('%')) return false
  if (isIPv6(address)) {
    if (translated.check(address, 'ipv6')) return isPublicAddress(lastBitsAsV4(address))
    return internetV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6')
  }
  return isIP(address) === 4 && !privateV4.check(address, 'ipv4')
}

/** Whether an IP address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a name is reserved for this machine (RFC 6761), whatever a name server returns for it. */
export function isLoopbackName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}

/** Returns the host of a URL in the form used for comparison: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Returns why nothing is ever sent to a URL; undefined if no reason is known before its name is resolved. */
export function objectionTo(
  url: URL,
  { allowLoopback }: { allowLoopback: boolean },
): 'credentials' | 'fragment' | 'scheme' | 'forbidden_address' | undefined {
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (url.hash !== '') return 'fragment'
  const host = hostOf(url)
  const isLoopback = isLoopbackName(host) || isLoopbackAddress(host)
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback && url.protocol === 'http:')) return 'scheme'
  if (isLoopback) return allowLoopback ? undefined : 'forbidden_address'
  return isIP(host) !== 0 && !isPublicAddress(host) ? 'forbidden_address' : undefined
}

function blocks(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const made = new BlockList()
  for (const block of list) {
    const [network = '', bits = ''] = block.split('/')
    made.addSubnet(network, Number(bits), family)
  }
  return made
}

function lastBitsAsV4(address: string): string {
  // The URL parser normalizes the address: no leading zeros, no dotted IPv4 part.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
