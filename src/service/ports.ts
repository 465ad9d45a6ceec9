import type { ServiceContext } from '../context.ts'
import { createRcsFollowupHandlers } from '../features/actions/rcs/followup-handler.ts'
import type { OpenRcsRevoker } from '../features/actions/rcs/revocations.ts'
import { listPendingApprovals } from '../features/approvals/waiting.ts'
import type { ContactPorts } from '../features/contacts/records/ports.ts'
import { eraseContactTraces } from '../features/personal-data/erase.ts'
import type { PressurePorts } from '../features/pressure/ports.ts'
import type { RcsServiceAccount } from '../features/rcs-profiles/credentials.ts'
import type { PhoneCapabilityLookup } from '../features/rcs-profiles/lookup.ts'
import type { StoredRcsProfile } from '../features/rcs-profiles/profiles.ts'
import type { OverviewPorts } from '../features/reporting/overview/ports.ts'
import { loadSegmentAudience, requireSegments } from '../features/segments/members/segment-audience.ts'
import { selectSearchedContacts } from '../features/segments/search/contact-list.ts'
import { endContactRuns } from '../features/workflows/runs/erasure.ts'
import { openGoogleRcsApi } from '../gateways/rcs-google/api.ts'
import { requestRcsCapabilities, revokeRcsMessage } from '../gateways/rcs-google/lookups.ts'
import { RcsGoogleSettings } from '../gateways/rcs-google/settings.ts'
import { createSharedTokenSources } from '../gateways/requests/tokens.ts'
import { readGatewaySettings } from '../gateways/settings.ts'
import { runBatchOrIsolated } from '../jobs/failures.ts'
import { createOutboundPolicy } from '../lib/net/guarded-client.ts'
import { lockContactMessages } from '../sending/record/erase-messages.ts'
import type { FollowupHandlers } from '../sending/record/followups.ts'
import {
  formatPostponedMessage,
  listPostponedToContact,
  requeuePostponedMessages,
} from '../sending/record/postponements.ts'

/** The functions that contacts need from features to their right. */
export function createContactPorts({ clock, masterKeys }: Pick<ServiceContext, 'clock' | 'masterKeys'>): ContactPorts {
  return {
    membersOf: async (db, account, segments) => {
      await requireSegments(db, account, segments)
      return loadSegmentAudience(db, account, { selected: segments, excluded: [] }, clock.now())
    },
    foundBy: (db, account, search) => selectSearchedContacts(db, account, search, clock.now()),
    endRuns: (tx, account, contacts) => endContactRuns(tx, account, contacts, clock.now()),
    beforeForgetting: lockContactMessages,
    forget: (tx, account, contacts) => eraseContactTraces(tx, account, contacts, { clock, masterKeys }),
  }
}

/** Opens the Google API for RCS profiles with at most `concurrency` requests at once; the tokens of their service accounts are cached. */
function createGoogleApiOpener({ clock, config }: Pick<ServiceContext, 'clock' | 'config'>, concurrency: number) {
  const tokenSources = createSharedTokenSources()
  return (
    { agent, settings: storedSettings }: Pick<StoredRcsProfile, 'agent' | 'settings'>,
    credentials: RcsServiceAccount,
  ) => {
    const settings = readGatewaySettings(RcsGoogleSettings, { agent, ...storedSettings, concurrency })
    const secrets = { credentials: JSON.stringify(credentials) }
    return openGoogleRcsApi(
      { settings, secrets },
      { clock, reach: createOutboundPolicy(config.outgoingAllow), tokens: tokenSources },
    )
  }
}

/** Asks Google about phones for RCS profiles. */
export function createCapabilityPort(context: Pick<ServiceContext, 'clock' | 'config'>): PhoneCapabilityLookup {
  const openGoogleApi = createGoogleApiOpener(context, 1)
  return async (profile, credentials, phone) => {
    const googleApi = openGoogleApi(profile, credentials)
    try {
      return await requestRcsCapabilities(googleApi, profile.agent, phone)
    } finally {
      googleApi.transport.close()
    }
  }
}

/** Opens what takes back messages of RCS profiles at Google. */
function createRevokerPort(context: Pick<ServiceContext, 'clock' | 'config'>): OpenRcsRevoker {
  const openGoogleApi = createGoogleApiOpener(context, 10)
  return (profile, credentials) => {
    const googleApi = openGoogleApi(profile, credentials)
    return {
      async revoke({ agent: from, phone, stamp }) {
        const { result } = await revokeRcsMessage(googleApi, from, { to: phone, messageId: stamp }, context.clock.now())
        return result === 'unknown' ? result : 'dealt with'
      },
      close: () => googleApi.transport.close(),
    }
  }
}

/** The handlers of followups to the ends of messages, by kind: modules to the right of the outbox. */
export function createFollowupHandlers(context: ServiceContext): FollowupHandlers {
  const { clock, masterKeys, log } = context
  return createRcsFollowupHandlers({ clock, masterKeys, log, open: createRevokerPort(context) })
}

/** The same handlers, of which each row fails alone: one that fails with others is tried by itself. */
export function isolateFollowups(handlers: FollowupHandlers): FollowupHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, handle]) => [
      kind,
      (db, dueMessages) =>
        runBatchOrIsolated(db, 'follow up messages', dueMessages, {
          subjectOf: ({ stamp }) => `${kind} of ${stamp}`,
          work: (some) => handle(db, some),
        }),
    ]),
  )
}

/** The functions that marketing pressure needs for messages that wait in the outbox. */
export const pressurePorts: PressurePorts = {
  askAgain: requeuePostponedMessages,
  waitingOf: async (db, account, contact) =>
    (await listPostponedToContact(db, account, contact)).map((message) => {
      const { rule, expression } = message.postponement
      return { rule, expression, shown: formatPostponedMessage(message) }
    }),
}

/** The data that other features supply to the overview. */
export const overviewPorts: OverviewPorts = { approvals: listPendingApprovals }
