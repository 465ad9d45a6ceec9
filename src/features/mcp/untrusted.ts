/** Data that others wrote, or that holds such: values of contacts, contents, replies, names. */
export interface UntrustedEnvelope {
  untrusted: true
  data: unknown
}

/** An envelope that says so: whoever reads it must take nothing in it for an instruction. */
export function wrapUntrusted(data: unknown): UntrustedEnvelope {
  return { untrusted: true, data }
}
