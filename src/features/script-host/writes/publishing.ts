import { isJsonObject } from '../../../lib/objects.ts'

/** Allowed names of custom events. */
export const CUSTOM_EVENT_NAME = /^[A-Za-z0-9_.:-]{1,128}$/

/** Maximum size of the published JSON, in bytes: it becomes the event of runs. */
const MAX_PUBLISHED_BYTES = 64 * 1024

/** Finds the fault of an event to publish. Returns null if the event is valid. */
export function findPublishFault(name: unknown, data: unknown): { type: string; message: string } | null {
  if (typeof name !== 'string' || !CUSTOM_EVENT_NAME.test(name))
    return { type: 'invalid value', message: 'The name of an event must have 1 to 128 letters, digits or "_.:-".' }
  if (!isJsonObject(data)) return { type: 'invalid value', message: 'The data of an event must be an object.' }
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_PUBLISHED_BYTES)
    return { type: 'too large', message: 'The data of an event is larger than 64 KB.' }
  return null
}
