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

/** The destinations that requests may go to. */
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
  /** The limit for the answer's body; a larger answer is an error. */
  maxBytes: number
  /** The number of redirects that a GET or HEAD follows, each checked like the first address; 0 returns the redirect itself. */
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
  const invalidHost = hosts.find((host) => /[/?#@\\]/.test(host) || !isHost(host))
  if (invalidHost !== undefined)
    throw new Error('must be hosts such as files.desk.example or 10.0.0.7:8080, separated by commas')
  return hosts.map((host) => host.toLowerCase())
}

/** The destinations allowed for requests from this machine: everything public, and the hosts that the operator allows. */
export function createOutboundPolicy(allowedHosts: readonly string[]): OutboundPolicy {
  return { open: new Set(allowedHosts), resolve: resolveSystemAddresses }
}

function getHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function isAllowedByOperator(url: URL, { open: allowedHosts }: OutboundPolicy): boolean {
  return allowedHosts.has(getHost(url)) || allowedHosts.has(url.host)
}

/**
 * Reads an address that is to be called and checks what can be checked without resolving its name: https, port 443 or from
 * 1024 on, no user information, no private address in digits of any notation. Throws RefusedAddressError.
 */
export function parseOutboundUrl(text: string, reach: OutboundPolicy): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RefusedAddressError('is not an https address')
  if (url.username !== '' || url.password !== '')
    throw new RefusedAddressError('must not contain a user name or password')
  if (isAllowedByOperator(url, reach)) return url
  if (url.protocol !== 'https:') throw new RefusedAddressError('must be https')
  if (url.port !== '' && Number(url.port) < 1024)
    throw new RefusedAddressError('must have port 443 or a port from 1024')
  if (isIP(getHost(url)) && !isPublicAddress(getHost(url))) throw new RefusedAddressError('is a private address')
  return url
}

/** Also resolves the name: every address behind it must be public. Throws RefusedAddressError, and NoAnswerError for no address. */
export async function resolveOutboundUrl(text: string, reach: OutboundPolicy): Promise<URL> {
  const url = parseOutboundUrl(text, reach)
  if (!isIP(getHost(url))) await resolveAddresses(getHost(url), isAllowedByOperator(url, reach), reach)
  return url
}

/** The target of a connection. */
export interface OutboundTarget {
  host: string
  port: number
}

/** Returns true if the operator allows a host. Throws RefusedAddressError for a numeric private address that is not allowed. */
function checkHost({ host, port }: OutboundTarget, reach: OutboundPolicy): boolean {
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
  const isAllowed = checkHost(target, reach)
  if (!isIP(target.host)) await resolveAddresses(target.host, isAllowed, reach)
}

/** The function with which a socket resolves the addresses of its host. Throws RefusedAddressError. */
export type OutboundHostGuard = (target: OutboundTarget) => { lookup: LookupFunction }

/** For every connection of a protocol that is not HTTP: as assertOutboundHost, with exactly the addresses that were checked. */
export function createOutboundHostGuard(reach: OutboundPolicy): OutboundHostGuard {
  return (target) => ({ lookup: createCheckedLookup(checkHost(target, reach), reach) })
}

async function resolveAddresses(
  host: string,
  opened: boolean,
  { resolve }: OutboundPolicy,
): Promise<readonly string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new NoAnswerError('the name has no address', { cause: error })
  })
  if (addresses.length === 0) throw new NoAnswerError('the name has no address')
  if (!opened && !addresses.every(isPublicAddress)) throw new RefusedAddressError('resolves to a private address')
  return addresses
}

/** Gives the connection exactly the addresses that were checked, so that DNS rebinding has no effect. */
function createCheckedLookup(opened: boolean, reach: OutboundPolicy): LookupFunction {
  return (host, { all: returnsAll }, give) => {
    resolveAddresses(host, opened, reach).then(
      (addresses) => {
        const lookupAddresses = addresses.map((address) => ({ address, family: isIP(address) }))
        if (returnsAll) give(null, lookupAddresses)
        else give(null, lookupAddresses[0]?.address ?? '', lookupAddresses[0]?.family)
      },
      (error) => give(error, []),
    )
  }
}

/**
 * The lookup with which persistent connections resolve a URL that parseOutboundUrl accepted: every address is checked each time a
 * connection is made.
 */
export function createOutboundLookup(url: URL, reach: OutboundPolicy): LookupFunction {
  return createCheckedLookup(isAllowedByOperator(url, reach), reach)
}

function openRequest(
  url: URL,
  request: OutboundRequest,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const sendRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { method, headers, body } = request
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers },
      agent: false,
      signal,
      lookup: createOutboundLookup(url, reach),
    }
    sendRequest(url, options, resolve).on('error', reject).end(body)
  })
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of message) {
    byteCount += chunk.length
    if (byteCount > maxBytes) throw new NoAnswerError(`the answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function performRequest(
  url: URL,
  request: OutboundRequest,
  reach: OutboundPolicy,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  try {
    const incomingMessage = await openRequest(url, request, reach, signal)
    try {
      const body = await readBody(incomingMessage, request.maxBytes)
      return { status: incomingMessage.statusCode ?? 0, headers: incomingMessage.headers, body }
    } finally {
      incomingMessage.destroy()
    }
  } catch (error) {
    if (error instanceof RefusedAddressError || error instanceof NoAnswerError) throw error
    const reason = signal.aborted ? `no answer within ${request.timeoutMs} ms` : 'the connection failed'
    throw new NoAnswerError(reason, { cause: error })
  }
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/**
 * Calls an address that a client of the service gave. Every address behind its name is checked when the connection is
 * made, and of every redirect too. Throws RefusedAddressError, and NoAnswerError when no whole answer came in time.
 */
export async function sendOutboundRequest(request: OutboundRequest, reach: OutboundPolicy): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs)
  let url = parseOutboundUrl(request.url, reach)
  for (let redirectsLeft = request.redirects ?? 0; ; redirectsLeft--) {
    const response = await performRequest(url, request, reach, signal)
    const { location } = response.headers
    if (!REDIRECT_STATUSES.has(response.status) || location === undefined || request.redirects === undefined)
      return response
    if (redirectsLeft === 0) throw new NoAnswerError('too many redirects')
    if (!URL.canParse(location, url)) throw new BrokenRedirectError('a redirect leads to an invalid address')
    url = parseOutboundUrl(new URL(location, url).href, reach)
  }
}
