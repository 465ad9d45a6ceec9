/** What a peer offers in its answer to EHLO. */
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
  const offers = new Map<string, string[]>()
  for (const line of text.split('\n').slice(1)) {
    const [keyword, ...values] = line
      .trim()
      .toUpperCase()
      .replace(/^AUTH=/, 'AUTH ')
      .split(/\s+/)
    if (keyword) offers.set(keyword, [...(offers.get(keyword) ?? []), ...values])
  }
  const largest = Number(offers.get('SIZE')?.[0] ?? 0)
  return {
    pipelining: offers.has('PIPELINING'),
    size: offers.has('SIZE'),
    largest: Number.isSafeInteger(largest) && largest > 0 ? largest : 0,
    eightBitMime: offers.has('8BITMIME'),
    smtputf8: offers.has('SMTPUTF8'),
    chunking: offers.has('CHUNKING'),
    starttls: offers.has('STARTTLS'),
    auth: offers.get('AUTH') ?? [],
  }
}
