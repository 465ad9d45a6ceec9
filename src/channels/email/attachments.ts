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

/** How long the files of one message may take. */
const TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Why a message cannot have one of its attachments: the value of a cancellation `attachment`. */
export interface MissingAttachment {
  name: string
  reason: string
}

/** What files are fetched by. */
export interface AttachmentFetchRules {
  /** The account's `attachmentHosts` at this moment. */
  hosts: readonly string[]
  reach: OutboundPolicy
  /** Hosts that timed out: not tried again. Filled while files are fetched. */
  silent: Set<string>
}

/** A file that cannot be fetched, with the reason. */
class Missing extends Error {}

/** Whether an account named a host for its attachments. `hostname` as URL gives it: lower case, Punycode. */
export function isAllowedAttachmentHost(hostname: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => host.toLowerCase() === hostname)
}

/** The whole file at an address. A redirect may lead to hosts the account named only, as the address itself. */
async function fetchFile(
  address: string,
  maxBytes: number,
  { hosts, reach, silent }: AttachmentFetchRules,
): Promise<Buffer> {
  const late = AbortSignal.timeout(TIMEOUT_MS)
  let url = parseOutboundUrl(address, reach)
  for (let left = MAX_REDIRECTS; left >= 0 && !late.aborted; left--) {
    const { hostname, host } = url
    if (!isAllowedAttachmentHost(hostname, hosts)) throw new Missing(`${hostname} is none of attachmentHosts`)
    if (silent.has(host)) throw new Missing(`${hostname} was too slow for another message`)
    const request = { url: url.href, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes }
    const { status, headers, body } = await sendOutboundRequest(request, reach).finally(
      () => late.aborted && silent.add(host),
    )
    if (status === 200) return body
    if (!REDIRECTS.has(status) || headers.location === undefined) throw new Missing(`${hostname} answered ${status}`)
    const next = URL.parse(headers.location, url)
    if (!next) throw new Missing(`${hostname} redirects to what is no address`)
    url = parseOutboundUrl(next.href, reach)
  }
  throw new Missing(late.aborted ? 'took too long' : 'too many redirects')
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedAddressError) return `the address ${error.message}`
  if (error instanceof NoAnswerError || error instanceof Missing) return error.message
  throw error
}

/** Fetches what is only named by its address, one file after the other; gives the contents by address, or what is missing. */
export async function fetchAttachments(
  attachments: readonly StoredAttachment[],
  rules: AttachmentFetchRules,
): Promise<Map<string, Buffer> | MissingAttachment> {
  const fetched = new Map<string, Buffer>()
  const given = attachments.map((one) => ('base64' in one ? Buffer.byteLength(one.base64, 'base64') : 0))
  let left = MAX_ATTACHMENT_BYTES - given.reduce((sum, bytes) => sum + bytes, 0)
  for (const one of attachments) {
    if ('base64' in one) continue
    try {
      const content = fetched.get(one.url) ?? (await fetchFile(one.url, left, rules))
      left -= content.length
      if (left < 0) throw new Missing('attachments may have 15 MiB together')
      fetched.set(one.url, content)
    } catch (error) {
      return { name: one.name, reason: reasonOf(error) }
    }
  }
  return fetched
}
