import {
  NoAnswerError,
  type OutboundPolicy,
  parseOutboundUrl,
  RefusedAddressError,
  sendOutboundRequest,
} from '../../lib/net/guarded-client.ts'

/** A file of a message: its bytes, or the https address that the sender fetches it from. */
export type StoredAttachment = { name: string; mime: string } & ({ base64: string } | { url: string })

/** Bytes of all attachments of one message, once decoded. */
export const MAX_ATTACHMENT_BYTES = 15 * 1024 * 1024

/** Time limit for all files of one message. */
const FETCH_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 3
const REDIRECT_STATUS_CODES = new Set([301, 302, 303, 307, 308])

/** Why a message cannot have one of its attachments: the value of a cancellation `attachment`. */
export interface MissingAttachment {
  name: string
  reason: string
}

/** Rules for fetching files. */
export interface AttachmentFetchRules {
  /** The account's `attachmentHosts` at this moment. */
  hosts: readonly string[]
  reach: OutboundPolicy
  /** Hosts that timed out: not tried again. Filled while files are fetched. */
  silent: Set<string>
}

/** A file that cannot be fetched, with the reason. */
class MissingFileError extends Error {}

/** Returns true if the account lists a host for its attachments. `hostname` is in the form that URL returns: lower case, Punycode. */
export function isAllowedAttachmentHost(hostname: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => host.toLowerCase() === hostname)
}

/** The whole file at an address. A redirect may lead to hosts the account named only, as the address itself. */
async function fetchFile(
  address: string,
  maxBytes: number,
  { hosts, reach, silent }: AttachmentFetchRules,
): Promise<Buffer> {
  const timeoutSignal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  let url = parseOutboundUrl(address, reach)
  for (
    let remainingRedirects = MAX_REDIRECTS;
    remainingRedirects >= 0 && !timeoutSignal.aborted;
    remainingRedirects--
  ) {
    const { hostname, host } = url
    if (!isAllowedAttachmentHost(hostname, hosts))
      throw new MissingFileError(`${hostname} is not one of attachmentHosts`)
    if (silent.has(host)) throw new MissingFileError(`${hostname} timed out for another message`)
    const request = { url: url.href, method: 'GET', timeoutMs: FETCH_TIMEOUT_MS, maxBytes }
    const { status, headers, body } = await sendOutboundRequest(request, reach).finally(
      () => timeoutSignal.aborted && silent.add(host),
    )
    if (status === 200) return body
    if (!REDIRECT_STATUS_CODES.has(status) || headers.location === undefined)
      throw new MissingFileError(`${hostname} answered ${status}`)
    const redirectUrl = URL.parse(headers.location, url)
    if (!redirectUrl) throw new MissingFileError(`${hostname} redirects to an invalid address`)
    url = parseOutboundUrl(redirectUrl.href, reach)
  }
  throw new MissingFileError(timeoutSignal.aborted ? 'timed out' : 'too many redirects')
}

function describeFetchError(error: unknown): string {
  if (error instanceof RefusedAddressError) return `the address ${error.message}`
  if (error instanceof NoAnswerError || error instanceof MissingFileError) return error.message
  throw error
}

/** Fetches what is only named by its address, one file after the other; gives the contents by address, or what is missing. */
export async function fetchAttachments(
  attachments: readonly StoredAttachment[],
  rules: AttachmentFetchRules,
): Promise<Map<string, Buffer> | MissingAttachment> {
  const contentsByUrl = new Map<string, Buffer>()
  const embeddedSizes = attachments.map((attachment) =>
    'base64' in attachment ? Buffer.byteLength(attachment.base64, 'base64') : 0,
  )
  let remainingBytes = MAX_ATTACHMENT_BYTES - embeddedSizes.reduce((sum, bytes) => sum + bytes, 0)
  for (const attachment of attachments) {
    if ('base64' in attachment) continue
    try {
      const content = contentsByUrl.get(attachment.url) ?? (await fetchFile(attachment.url, remainingBytes, rules))
      remainingBytes -= content.length
      if (remainingBytes < 0) throw new MissingFileError('attachments exceed 15 MiB in total')
      contentsByUrl.set(attachment.url, content)
    } catch (error) {
      return { name: attachment.name, reason: describeFetchError(error) }
    }
  }
  return contentsByUrl
}
