/** Scheme and authority of a target in absolute form, which servers must read too (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM_ORIGIN = /^https?:\/\/[^/?#]*/i

/** The path and query of a request target; without the prefix /V1 which old clients put before segments, in either case. */
export function normalizeRequestPath(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM_ORIGIN, '')
  if (!url.startsWith('/')) return `/${url}`
  return /^\/v1\//i.test(url) ? url.slice(3) : url
}
