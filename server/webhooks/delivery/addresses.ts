import { BlockList, isIP, isIPv6 } from 'node:net'

// IANA IPv4 Special-Purpose Address Registry, those that are not globally reachable; multicast; reserved.
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

// IANA gives addresses of the internet out of this block alone; in it are those that lead elsewhere (Teredo and other
// protocols, 6to4) and those of examples.
const internetV6 = blocks('ipv6', ['2000::/3'])
const privateV6 = blocks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20'])

/** RFC 6052: where a network has IPv6 alone, its name servers spell every IPv4 address so, in the last 32 bits. */
const translated = blocks('ipv6', ['64:ff9b::/96'])

const loopback = blocks('ipv4', ['127.0.0.0/8'])
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address, without brackets, is one of the internet: neither private nor for a special purpose. */
export function isPublicAddress(address: string): boolean {
  // A zone (`%eth0`) is of a link; with one it is no address of the internet, whatever it looks like.
  if (address.includes('%')) return false
  if (isIPv6(address)) {
    if (translated.check(address, 'ipv6')) return isPublicAddress(lastBitsAsV4(address))
    return internetV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6')
  }
  return isIP(address) === 4 && !privateV4.check(address, 'ipv4')
}

/** Whether an IP address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** RFC 6761: these names are this machine's, whatever a name server says. */
export function isLoopbackName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}

/** The host of an address as names and numbers are compared: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Why nothing is ever sent to an address; `undefined`: it may be, as far as it can be told before its name is resolved. */
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
  // The URL parser normalizes the address: no leading zeros, no dotted end.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
