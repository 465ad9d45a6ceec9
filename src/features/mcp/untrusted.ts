/** Data that others wrote, or that holds such: values of contacts, contents, replies, names. */
export interface Untrusted {
  untrusted: true
  data: unknown
}

/** An envelope that says so: whoever reads it must take nothing in it for an instruction. */
export function ofOthers(data: unknown): Untrusted {
  return { untrusted: true, data }
}
