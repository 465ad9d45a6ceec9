import { hkdfSync } from 'node:crypto'
import { Counter, Gauge, type Registry } from 'prom-client'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { ServiceContext } from '../../../context.ts'
import { loadOnce } from '../../../lib/concurrency/load-once.ts'
import { computeHmac, createHmacKey } from '../../../lib/crypto/hmac.ts'
import type { PushMessageToken, PushReportKind } from '../../../lib/crypto/push-tokens.ts'
import type { MessageLinkToken } from '../../../lib/crypto/tokens.ts'
import type { DisplayHit, StampedDisplay } from '../../display/display-hits.ts'
import { truncateIpAddress } from '../../events/hits/address.ts'
import { classifyHit, type HitEvidence, type HitVerdict } from '../../events/hits/classification.ts'
import type { HitRequest, PendingHitRequest } from '../../events/hits/hit.ts'
import { recordHoneypot } from '../../events/record/settle.ts'
import { isUnavailableError, withDatabaseTimeout } from '../unavailable.ts'
import type { ContentVersionCache } from '../version-cache.ts'
import type { AddressDetailCache } from './address-details.ts'
import { isRecentMessage } from './age.ts'
import { type HitWriter, startHitWriter } from './hit-writer.ts'
import type { MessageHit, TrackingHit } from './hits.ts'
import type { RobotLists } from './robot-lists.ts'

/** The data of a request that describes its sender. */
export interface HitRequester {
  method: string
  address: string | null
  userAgent: string | null
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Records the hits of people and robots. */
export interface HitRecorder {
  /** Starts storing the hits that an earlier process spooled. */
  start(): void
  /** Resolves when the hit is durable. Silent tokens and old messages record nothing; failures are logged, not thrown. */
  record(token: MessageLinkToken, hitDetails: Pick<MessageHit, 'type' | 'url'>, requester: HitRequester): Promise<void>
  /** The same for a display content. */
  recordDisplay(
    display: StampedDisplay,
    hitDetails: Pick<DisplayHit, 'type' | 'url'>,
    requester: HitRequester,
  ): Promise<void>
  /** The same for what an app reports of a push message; what was opted out of is recorded however old the message is. */
  recordPush(token: PushMessageToken, sign: PushReportKind, requester: HitRequester): Promise<void>
  /** Marks a visitor who followed a honeypot as a robot for that message. */
  recordHoneypot(token: MessageLinkToken, requester: HitRequester): Promise<void>
  /** The members of a hit that come from its request. */
  requestOf(account: number, requester: HitRequester): HitRequest
  /** The class of a hit by its request alone. */
  judge(requester: HitRequester, hitDetails: Pick<HitEvidence, 'type' | 'honeypotFilled'>): HitVerdict
  close(): Promise<void>
}

export interface HitRecorderParts {
  versions: ContentVersionCache
  addressDetails: AddressDetailCache
  robots: RobotLists
}

const VISITOR_BYTES = 16
/** User agents are cut to this length. */
const MAX_USER_AGENT_LENGTH = 512

/** Writes hits; failures are logged and counted: the request is answered all the same. */
interface SafeWriter {
  start(): void
  write(hit: { stamp: string; type: TrackingHit['type'] }, make: () => Promise<TrackingHit>): Promise<void>
  close(): Promise<void>
}

/** Creates a writer that starts with `start` or with the first hit. */
function openSafeWriter(context: ServiceContext, parts: HitRecorderParts, registry: Registry): SafeWriter {
  const { log } = context
  const { versions, addressDetails } = parts
  let writer: HitWriter | undefined
  const lossCounter = registerLossMetrics(registry, () => writer)

  const startWriter = loadOnce(async () => {
    writer = await startHitWriter(context, { versions, addressDetails, lost: (n) => lossCounter.inc(n) })
    return writer
  })

  return {
    start: () => void startWriter().catch((error) => log.error({ err: error }, 'cannot open the spool of hits')),
    async write({ stamp, type }, make) {
      try {
        const hit = await make()
        await (writer ?? (await startWriter())).write(hit)
      } catch (error) {
        log.error({ err: error, stamp, type }, 'hit lost')
        lossCounter.inc()
      }
    },
    close: async () => (await startWriter.begun()?.catch(() => undefined))?.close(),
  }
}

/** Creates the recorder; its writer starts with `start` or with the first hit. */
export function openHitRecorder(context: ServiceContext, parts: HitRecorderParts, registry: Registry): HitRecorder {
  const { db, clock } = context
  const visitorOf = createVisitorHasher(context)
  const writer = openSafeWriter(context, parts, registry)

  function requestOf(account: number, { address, userAgent }: HitRequester): HitRequest {
    return { time: clock.now(), address, userAgent, visitor: visitorOf(account, address) }
  }

  return {
    requestOf,
    judge: (requester, hitDetails) => classifyHit(parts.robots.current(), { ...requester, ...hitDetails }),
    start: writer.start,
    async record(token, hitDetails, requester) {
      if (token.silent || !(await isRecentMessage(db, token, clock.now()))) return
      await writer.write({ stamp: token.stamp, type: hitDetails.type }, () =>
        buildHit(parts, token, hitDetails, { ...requester, ...requestOf(token.account, requester) }),
      )
    },
    async recordDisplay(token, hitDetails, requester) {
      const request = { ...requester, ...requestOf(token.account, requester) }
      await writer.write({ stamp: token.stamp, type: hitDetails.type }, async () => ({
        channel: 'display',
        token,
        ...hitDetails,
        ...(await buildRequestPart(parts, token.account, 'redirection', request)),
      }))
    },
    async recordPush({ silent, ...token }, sign, { address, userAgent }) {
      const time = clock.now()
      if (silent || !(sign.startsWith('optout') || (await isRecentMessage(db, token, time)))) return
      await writer.write({ stamp: token.stamp, type: sign }, async () => ({
        channel: pushChannelTraits.name,
        token,
        type: sign,
        time,
        address: truncateIpAddress(address, await parts.addressDetails(token.account)),
        userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      }))
    },
    async recordHoneypot(token, requester) {
      const visitor = visitorOf(token.account, requester.address)
      if (token.silent || visitor === null) return
      try {
        await withDatabaseTimeout(recordHoneypot(db, { account: token.account, stamp: token.stamp, visitor }))
      } catch (error) {
        if (!isUnavailableError(error)) throw error
      }
    },
    close: writer.close,
  }
}

/** Pseudonymous ids of visitors: the same for one address, account and master key. */
function createVisitorHasher({
  masterKeys,
}: ServiceContext): (account: number, address: string | null) => Buffer | null {
  const key = createHmacKey(Buffer.from(hkdfSync('sha256', masterKeys[0]?.key ?? '', '', 'visitor', 32)))
  return (account, address) =>
    address === null ? null : computeHmac(key, Buffer.from(`${account} ${address}`)).subarray(0, VISITOR_BYTES)
}

function registerLossMetrics(registry: Registry, writer: () => HitWriter | undefined): Counter {
  new Gauge({
    name: 'stentor_hit_spool_bytes',
    help: 'Bytes of hits on the disk that wait for the database',
    registers: [registry],
    collect() {
      this.set(writer()?.spooled() ?? 0)
    },
  })
  new Gauge({
    name: 'stentor_hit_spool_files_set_aside',
    help: 'Files of the spool of hits that cannot be read, or are not hits',
    registers: [registry],
    async collect() {
      this.set((await writer()?.countSetAside()) ?? 0)
    },
  })
  return new Counter({
    name: 'stentor_events_lost_total',
    help: 'Hits that neither the database nor the spool could take',
    registers: [registry],
  })
}

/** A hit in the form in which it is stored and spooled. */
async function buildHit(
  parts: HitRecorderParts,
  token: MessageLinkToken,
  { type, url }: Pick<MessageHit, 'type' | 'url'>,
  requester: HitRequester & HitRequest,
): Promise<MessageHit> {
  const { silent: silentFlag, kind: kindMember, ...message } = token
  return { token: message, type, url, ...(await buildRequestPart(parts, token.account, type, requester)) }
}

/** The stored part of a request. The full address is used to classify the hit and is not stored. */
async function buildRequestPart(
  { addressDetails, robots }: HitRecorderParts,
  account: number,
  type: MessageHit['type'],
  requester: HitRequester & HitRequest,
): Promise<PendingHitRequest> {
  const { time, visitor, address, userAgent } = requester
  return {
    time,
    address: truncateIpAddress(address, await addressDetails(account)),
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    visitor: visitor === null ? null : Buffer.from(visitor).toString('base64'),
    verdict: classifyHit(robots.current(), { ...requester, type }),
  }
}
