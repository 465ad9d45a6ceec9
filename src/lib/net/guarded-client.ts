import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** An address that may not be called, with the reason. */
export class RefusedAddressError extends Error {}

/** The remote gave no valid answer: no connection, too slow, too large. */
export class NoAnswerError extends Error {}

/** A redirect to something that is no address. */
export class BrokenRedirectError extends NoAnswerError {}

/** Where requests may go. */
export interface OutboundPolicy {
  /** Host names, addresses and `host:port` that the operator allows: any port, plain http, and private addresses. */
  open: ReadonlySet<string>
  /** The addresses of a name. */
  resolve: (host: string) => Promise<readonly string[]>
}

export interface OutboundRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** From the call to the last byte of the answer. */
  timeoutMs: number
  /** Of the answer's body; more is no answer. */
  maxBytes: number
  /** How many redirects a GET or HEAD follows, each checked like the first address; 0 gives the redirect itself. */
  redirects?: number
}

export interface OutboundAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The addresses of a name, by the system's resolver. */
export async function resolveSystemAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

/** Reads the hosts that an operator allows, separated by commas: `files.desk.example`, `10.0.0.7:8080`, `::1`. Throws Error. */
export function parseAllowedHosts(text: string): string[] {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '')
  const isHost = (host: string) => isIP(host) === 6 || URL.parse(`http://${host}/`)?.pathname === '/'
  const wrong = hosts.find((host) => /[/?#@\\]/.test(host) || !isHost(host))
  if (wrong !== undefined)
    throw new Error('must be hosts such as files.desk.example or 10.0.0.7:8080, separated by commas')
  return hosts.map((host) => host.toLowerCase())
}

/** Where requests may go from this machine: everything public, and the hosts that the operator allows. */
export function createOutboundPolicy(open: readonly string[]): OutboundPolicy {
  return { open: new Set(open), resolve: resolveSystemAddresses }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isOpen(url: URL, { open }: OutboundPolicy): boolean {
  return open.has(hostOf(url)) || open.has(url.host)
}

/**
 * Reads an address that is to be called and checks what can be checked without resolving its name: https, port 443 or from
 * 1024 on, no user information, no private address in digits of any notation. Throws RefusedAddressError.
 */
export function parseOutboundUrl(text: string, reach: OutboundPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RefusedAddressError('is not an https address')
  if (url.username !== '' || url.password !== '') throw new RefusedAddressError('may hold no user name or password')
  if (isOpen(url, reach)) return url
  if (url.protocol !== 'https:') throw new RefusedAddressError('must be https')
  if (url.port !== '' && Number(url.port) < 1024)
    throw new RefusedAddressError('must have port 443, or one from 1024 on')
  if (isIP(hostOf(url)) && !isPublicAddress(hostOf(url))) throw new RefusedAddressError('is a private address')
  return url
}

/** Also resolves the name: every address behind it must be public. Throws RefusedAddressError, and NoAnswerError for no address. */
export async function resolveOutboundUrl(text: string, reach: OutboundPolicy): Promise<URL> {
  const url = parseOutboundUrl(text, reach)
  if (!isIP(hostOf(url))) await addressesOf(hostOf(url), isOpen(url, reach), reach)
  return url
}

/** Where a connection goes. */
export interface OutboundTarget {
  host: string
  port: number
}

/** Whether the operator allows a host; throws RefusedAddressError for a private address in digits that is not allowed. */
function readHost({ host, port }: OutboundTarget, reach: OutboundPolicy): boolean {
  const name = host.toLowerCase()
  const isAllowed = reach.open.has(name) || reach.open.has(isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`)
  if (isIP(name) && !isAllowed && !isPublicAddress(name)) throw new RefusedAddressError('is a private address')
  return isAllowed
}

/**
 * Checks a host that is connected to by a protocol that is not HTTP: every address behind its name must be public, unless the
 * operator allows it. Throws RefusedAddressError, and NoAnswerError for no address.
 */
export async function assertOutboundHost(target: OutboundTarget, reach: OutboundPolicy): Promise<void> {
  const isAllowed = readHost(target, reach)
  if (!isIP(target.host)) await addressesOf(target.host, isAllowed, reach)
}

/** How a socket finds the addresses of its host. Throws RefusedAddressError. */
export type OutboundHostGuard = (target: OutboundTarget) => { lookup: LookupFunction }

/** For every connection of a protocol that is not HTTP: as assertOutboundHost, with exactly the addresses that were checked. */
export function createOutboundHostGuard(reach: OutboundPolicy): OutboundHostGuard {
  return (target) => ({ lookup: checkedLookup(readHost(target, reach), reach) })
}

async function addressesOf(host: string, opened: boolean, { resolve }: OutboundPolicy): Promise<readonly string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new NoAnswerError('the name has no address', { cause: error })
  })
  if (addresses.length === 0) throw new NoAnswerError('the name has no address')
  if (!opened && !addresses.every(isPublicAddress)) throw new RefusedAddressError('leads to a private address')
  return addresses
}

/** Gives the connection exactly the addresses that were checked, so that DNS rebinding has no effect. */
function checkedLookup(opened: boolean, reach: OutboundPolicy): LookupFunction {
  return (host, { all }, give) => {
    addressesOf(host, opened, reach).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) give(null, found)
        else give(null, found[0]?.address ?? '', found[0]?.family)
      },
      (error) => give(error, []),
    )
  }
}

/**
 * How connections that are kept find the addresses of a URL that parseOutboundUrl let through: every one is checked, each time
 * a connection is made.
 */
export function createOutboundLookup(url: URL, reach: OutboundPolicy): LookupFunction {
  return checkedLookup(isOpen(url, reach), reach)
}

function connect(
  url: URL,
  request: OutboundRequest,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, body } = request
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers },
      agent: false,
      signal,
      lookup: createOutboundLookup(url, reach),
    }
    send(url, options, resolve).on('error', reject).end(body)
  })
}

async function read(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new NoAnswerError(`the answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function call(
  url: URL,
  request: OutboundRequest,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  try {
    const message = await connect(url, request, reach, signal)
    try {
      const body = await read(message, request.maxBytes)
      return { status: message.statusCode ?? 0, headers: message.headers, body }
    } finally {
      message.destroy()
    }
  } catch (error) {
    if (error instanceof RefusedAddressError || error instanceof NoAnswerError) throw error
    const reason = signal.aborted ? `no answer within ${request.timeoutMs} ms` : 'the connection failed'
    throw new NoAnswerError(reason, { cause: error })
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Calls an address that a client of the service gave. Every address behind its name is checked when the connection is
 * made, and of every redirect too. Throws RefusedAddressError, and NoAnswerError when no whole answer came in time.
 */
export async function sendOutboundRequest(request: OutboundRequest, reach: OutboundPolicy): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs)
  let url = parseOutboundUrl(request.url, reach)
  for (let left = request.redirects ?? 0; ; left--) {
    const answer = await call(url, request, reach, signal)
    const { location } = answer.headers
    if (!REDIRECTS.has(answer.status) || location === undefined || request.redirects === undefined) return answer
    if (left === 0) throw new NoAnswerError('too many redirects')
    if (!URL.canParse(location, url)) throw new BrokenRedirectError('a redirect leads to what is no address')
    url = parseOutboundUrl(new URL(location, url).href, reach)
  }
}
