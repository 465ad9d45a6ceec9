import { domainToASCII } from 'node:url'

/** A domain name with at least one dot as A-labels in lower case (RFC 5890, 2.3.2.1); undefined for an invalid name. */
export function parseDomainName(text: string): string | undefined {
  const domain = domainToASCII(text.toLowerCase())
  return /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : undefined
}
