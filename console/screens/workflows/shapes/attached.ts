/** A file that goes with a message: with its content, or at an address. */
export interface Attachment {
  name: string
  mime: string
  data: { type: 'base64' | 'url'; value: string }
}

/** Characters that a value given in a workflow may have as JSON. */
export const MOST_LENGTH = 32 * 1024

/** Whether a workflow can keep files with their content. */
export const fits = (attachments: readonly Attachment[]): boolean => JSON.stringify(attachments).length <= MOST_LENGTH

/** Bytes in base64, of which no line is broken. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** How many bytes a text in base64 stands for. */
export const bytesOf = (base64: string): number => Math.floor((base64.replace(/[^A-Za-z0-9+/]/g, '').length * 3) / 4)
