/** Drops the prefix /V1 which old clients put before segments, in either case. */
export function tolerantPath(url: string): string {
  return /^\/v1\//i.test(url) ? url.slice(3) : url
}
