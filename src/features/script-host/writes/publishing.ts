import { isJsonObject } from '../../../lib/objects.ts'

/** How custom events are named. */
export const CUSTOM_EVENT_NAME = /^[A-Za-z0-9_.:-]{1,128}$/

/** Of the JSON of what is published, in bytes: it becomes the event of runs. */
const MAX_BYTES = 64 * 1024

/** What is wrong with an event that is to be published; null: nothing. */
export function findPublishFault(name: unknown, data: unknown): { type: string; message: string } | null {
  if (typeof name !== 'string' || !CUSTOM_EVENT_NAME.test(name))
    return { type: 'invalid value', message: 'The name of an event has 1 to 128 letters, digits or "_.:-".' }
  if (!isJsonObject(data)) return { type: 'invalid value', message: 'The data of an event is an object.' }
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_BYTES)
    return { type: 'too large', message: 'The data of an event is larger than 64 KB.' }
  return null
}
