import { hkdfSync } from 'node:crypto'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import { hmac, hmacKey } from '../../lib/hmac.ts'
import type { Token } from '../../lib/tokens.ts'
import type { Display, DisplayHit } from '../display/display-hits.ts'
import { keptAddress } from '../events/address.ts'
import { type HitEvidence, type HitVerdict, judgeHit } from '../events/classification.ts'
import type { HitRequest, KeptRequest } from '../events/record.ts'
import { springHoneypot } from '../events/settle.ts'
import type { AddressDetails } from './address-details.ts'
import { isRecent } from './age.ts'
import { isAway, soon } from './away.ts'
import { type HitWriter, startHitWriter } from './hit-writer.ts'
import type { Hit, MessageHit } from './hits.ts'
import type { RobotLists } from './robot-lists.ts'
import type { VersionCache } from './version-cache.ts'

/** What a request shows of who made it. */
export interface Seen {
  method: string
  address: string | null
  userAgent: string | null
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Records what people and robots do with what was sent to them. */
export interface Recording {
  /** Starts to store what an earlier process left in the spool. */
  start(): void
  /** The hit is durable when it resolves. Silent tokens and old messages record nothing; nothing here hinders an answer. */
  record(token: Token, what: Pick<MessageHit, 'type' | 'url'>, seen: Seen): Promise<void>
  /** The same of a display content. */
  recordDisplay(display: Display, what: Pick<DisplayHit, 'type' | 'url'>, seen: Seen): Promise<void>
  /** Who followed a honeypot is a robot for that message. */
  springHoneypot(token: Token, seen: Seen): Promise<void>
  /** The members of a hit that are the request's. */
  requestOf(account: number, seen: Seen): HitRequest
  /** The class of a hit by its request alone. */
  judge(seen: Seen, what: Pick<HitEvidence, 'type' | 'honeypotFilled'>): HitVerdict
  close(): Promise<void>
}

export interface RecordingParts {
  versions: VersionCache
  addressDetails: AddressDetails
  robots: RobotLists
}

const VISITOR_BYTES = 16
/** What is stored of a user agent. */
const AGENT_LENGTH = 512

/** Prepares the recording; its writer starts with `start` or with the first hit. */
export function openRecording(context: Context, parts: RecordingParts, registry: Registry): Recording {
  const { db, clock, log } = context
  const { versions, addressDetails, robots } = parts
  const visitorOf = visitors(context)
  let starting: Promise<HitWriter> | undefined
  let writer: HitWriter | undefined
  const losses = watch(registry, () => writer?.spooled() ?? 0)

  function running(): Promise<HitWriter> {
    starting ??= startHitWriter(context, { versions, addressDetails, lost: (n) => losses.inc(n) })
    return starting.then((started) => (writer = started))
  }

  function requestOf(account: number, { address, userAgent }: Seen): HitRequest {
    return { time: clock.now(), address, userAgent, visitor: visitorOf(account, address) }
  }

  /** Nothing that is wrong with a hit hinders the answer to it. */
  async function write({ stamp }: { stamp: string }, type: Hit['type'], make: () => Promise<Hit>): Promise<void> {
    try {
      const hit = await make()
      await (writer ?? (await running())).write(hit)
    } catch (error) {
      log.error({ err: error, stamp, type }, 'a hit cannot be recorded')
      losses.inc()
    }
  }

  return {
    requestOf,
    judge: (seen, what) => judgeHit(robots.current(), { ...seen, ...what }),
    start: () => void running().catch((error) => log.error({ err: error }, 'the spool of hits cannot be opened')),
    async record(token, what, seen) {
      if (token.silent || !(await isRecent(db, token, clock.now()))) return
      await write(token, what.type, () => hitOf(parts, token, what, { ...seen, ...requestOf(token.account, seen) }))
    },
    async recordDisplay(token, what, seen) {
      const asked = { ...seen, ...requestOf(token.account, seen) }
      await write(token, what.type, async () => ({
        channel: 'display',
        token,
        ...what,
        ...(await requestPart(parts, token.account, 'redirection', asked)),
      }))
    },
    async springHoneypot(token, seen) {
      const visitor = visitorOf(token.account, seen.address)
      if (token.silent || visitor === null) return
      try {
        await soon(springHoneypot(db, { account: token.account, stamp: token.stamp, visitor }))
      } catch (error) {
        if (!isAway(error)) throw error
      }
    },
    close: async () => (await starting?.catch(() => undefined))?.close(),
  }
}

/** Tells who asked without telling the address: the same for one address, account and master key. */
function visitors({ masterKeys }: Context): (account: number, address: string | null) => Buffer | null {
  const key = hmacKey(Buffer.from(hkdfSync('sha256', masterKeys[0]?.key ?? '', '', 'visitor', 32)))
  return (account, address) =>
    address === null ? null : hmac(key, Buffer.from(`${account} ${address}`)).subarray(0, VISITOR_BYTES)
}

function watch(registry: Registry, spooled: () => number): Counter {
  new Gauge({
    name: 'hit_spool_bytes',
    help: 'Bytes of hits on the disk that wait for the database',
    registers: [registry],
    collect() {
      this.set(spooled())
    },
  })
  return new Counter({
    name: 'events_lost_total',
    help: 'Hits that neither the database nor the spool could take',
    registers: [registry],
  })
}

/** A hit as it waits to be stored. */
async function hitOf(
  parts: RecordingParts,
  token: Token,
  { type, url }: Pick<MessageHit, 'type' | 'url'>,
  seen: Seen & HitRequest,
): Promise<MessageHit> {
  const { silent: _, kind: __, ...message } = token
  return { token: message, type, url, ...(await requestPart(parts, token.account, type, seen)) }
}

/** What a hit keeps of its request: the whole address serves to judge it, and goes no further. */
async function requestPart(
  { addressDetails, robots }: RecordingParts,
  account: number,
  type: MessageHit['type'],
  seen: Seen & HitRequest,
): Promise<KeptRequest> {
  const { time, visitor, address, userAgent } = seen
  return {
    time,
    address: keptAddress(address, await addressDetails(account)),
    userAgent: userAgent?.slice(0, AGENT_LENGTH) ?? null,
    visitor: visitor === null ? null : Buffer.from(visitor).toString('base64'),
    verdict: judgeHit(robots.current(), { ...seen, type }),
  }
}
