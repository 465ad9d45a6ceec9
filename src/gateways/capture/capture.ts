import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  type GatewayChannelName,
  type GatewayOutcome,
  getDeliveryKey,
  type MessageGateway,
  type OutgoingMessage,
  type SendBatchListener,
  type SendBatchResult,
} from '../gateway.ts'
import { trimCapturedMessages, writeCapturedMessage } from './files.ts'

/** Messages kept; the oldest ones are removed. Counted on the disk again after so many were written. */
const MAX_KEPT = 10_000
const PRUNE_EVERY = 500

/** How long to wait when the disk does not take a message. */
const DISK_PAUSE_MS = 10_000

interface CaptureContext {
  dataDir: string
  clock: Clock
}

/** Stores one message. An error of the disk becomes the outcome. */
async function capture(
  message: OutgoingMessage,
  listener: SendBatchListener,
  { dataDir, clock }: CaptureContext,
): Promise<GatewayOutcome> {
  const { id, sequence } = message
  const common = { id, mta: '', ...(sequence !== undefined && { sequence }) }
  try {
    listener.beforeBody?.(getDeliveryKey(message))
    const reference = await writeCapturedMessage(dataDir, message, clock.now())
    const delivered = 'contentMessage' in message ? { delivered: true as const } : {}
    return { ...common, result: 'accepted', reference, reply: '250 2.0.0 captured', ...delivered }
  } catch (error) {
    return {
      ...common,
      result: 'deferred',
      stage: 'data',
      reply: formatErrorReason(error),
      retryAfterMs: DISK_PAUSE_MS,
    }
  }
}

/** Sends nothing: messages become files that `/captured` shows. The default of every channel until a gateway is set up. */
export function openCaptureGateway(name: string, channel: GatewayChannelName, context: CaptureContext): MessageGateway {
  const { dataDir } = context
  let sincePrune = PRUNE_EVERY
  let closed = false

  async function send(batch: Iterable<OutgoingMessage>, listener: SendBatchListener): Promise<SendBatchResult> {
    let taken = 0
    for (const message of batch) {
      if (closed || listener.signal?.aborted) return { taken, stop: { why: 'aborted', detail: 'the sender stops' } }
      taken++
      const outcome = await capture(message, listener, context)
      listener.outcome(outcome)
      if (outcome.result === 'deferred')
        return { taken, stop: { why: 'down', detail: outcome.reply, retryAfterMs: DISK_PAUSE_MS } }
      if (++sincePrune >= PRUNE_EVERY) {
        sincePrune = 0
        await trimCapturedMessages(dataDir, MAX_KEPT)
      }
    }
    return { taken }
  }

  async function check() {
    const directory = join(dataDir, 'captured')
    try {
      await mkdir(directory, { recursive: true })
      await access(directory, constants.W_OK)
      return { ok: true, detail: `messages are stored in ${directory}, none is sent` }
    } catch (error) {
      return { ok: false, detail: `${directory} cannot be written: ${formatErrorReason(error)}` }
    }
  }

  async function close(): Promise<void> {
    closed = true
  }

  return { name, kind: 'capture', channel, send, check, close }
}
