/** Features that a peer offers in its answer to EHLO. */
export interface SmtpFeatures {
  pipelining: boolean
  size: boolean
  /** Octets a message may have; 0: not said. */
  largest: number
  eightBitMime: boolean
  smtputf8: boolean
  chunking: boolean
  starttls: boolean
  /** Mechanisms in upper case. */
  auth: readonly string[]
}

/** Reads the lines of the answer to EHLO (RFC 5321, 4.1.1.1); the first one is the peer's name. */
export function parseSmtpFeatures(text: string): SmtpFeatures {
  const offeredFeatures = new Map<string, string[]>()
  for (const line of text.split('\n').slice(1)) {
    const [keyword, ...values] = line
      .trim()
      .toUpperCase()
      .replace(/^AUTH=/, 'AUTH ')
      .split(/\s+/)
    if (keyword) offeredFeatures.set(keyword, [...(offeredFeatures.get(keyword) ?? []), ...values])
  }
  const maxMailOctets = Number(offeredFeatures.get('SIZE')?.[0] ?? 0)
  return {
    pipelining: offeredFeatures.has('PIPELINING'),
    size: offeredFeatures.has('SIZE'),
    largest: Number.isSafeInteger(maxMailOctets) && maxMailOctets > 0 ? maxMailOctets : 0,
    eightBitMime: offeredFeatures.has('8BITMIME'),
    smtputf8: offeredFeatures.has('SMTPUTF8'),
    chunking: offeredFeatures.has('CHUNKING'),
    starttls: offeredFeatures.has('STARTTLS'),
    auth: offeredFeatures.get('AUTH') ?? [],
  }
}
