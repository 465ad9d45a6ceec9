/** A file that goes with a message: with its content, or at an address. */
export interface AttachmentFormValue {
  name: string
  mime: string
  data: { type: 'base64' | 'url'; value: string }
}

/** Characters that a value given in a workflow may have as JSON. */
export const MAX_GIVEN_VALUE_CHARS = 32 * 1024

/** True if a workflow can store these files with their content. */
export const fitsAttachmentLimit = (attachments: readonly AttachmentFormValue[]): boolean =>
  JSON.stringify(attachments).length <= MAX_GIVEN_VALUE_CHARS

/** Bytes in base64, of which no line is broken. */
export function encodeBase64Bytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decoded size of a base64 text in bytes. */
export const base64ByteLength = (base64: string): number =>
  Math.floor((base64.replace(/[^A-Za-z0-9+/]/g, '').length * 3) / 4)
