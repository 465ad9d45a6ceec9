import type { Context } from '../context.ts'
import { rcsFollowupHandlers } from '../features/actions/rcs/followup-handler.ts'
import type { OpenRevoker } from '../features/actions/rcs/revocations.ts'
import { waitingApprovals } from '../features/approvals/waiting.ts'
import type { Ports } from '../features/contacts/records/ports.ts'
import { eraseContacts } from '../features/personal-data/erase.ts'
import type { PressurePorts } from '../features/pressure/ports.ts'
import type { ServiceAccount } from '../features/rcs-profiles/credentials.ts'
import type { AskCapability } from '../features/rcs-profiles/lookup.ts'
import type { StoredProfile } from '../features/rcs-profiles/profiles.ts'
import type { OverviewPorts } from '../features/reporting/overview/ports.ts'
import { loadAudience, requireSegments } from '../features/segments/members/audience.ts'
import { searchedContacts } from '../features/segments/search/contact-list.ts'
import { endRunsOf } from '../features/workflows/runs/erasure.ts'
import { openApi } from '../gateways/rcs-google/api.ts'
import { askCapabilities, revokeMessage } from '../gateways/rcs-google/lookups.ts'
import { RcsGoogleSettings } from '../gateways/rcs-google/settings.ts'
import { createTokenSources } from '../gateways/requests/tokens.ts'
import { readSettings } from '../gateways/settings.ts'
import { togetherOrAlone } from '../jobs/failures.ts'
import { reachOf } from '../lib/net/guarded-client.ts'
import { lockMessagesOf } from '../sending/record/erase-messages.ts'
import type { FollowupHandlers } from '../sending/record/followups.ts'
import { askPostponedAgain, postponedTo, showPostponed } from '../sending/record/postponements.ts'

/** What contacts need of features to their right. */
export function portsOf({ clock, masterKeys }: Pick<Context, 'clock' | 'masterKeys'>): Ports {
  return {
    membersOf: async (db, account, segments) => {
      await requireSegments(db, account, segments)
      return loadAudience(db, account, { selected: segments, excluded: [] }, clock.now())
    },
    foundBy: (db, account, search) => searchedContacts(db, account, search, clock.now()),
    endRuns: (tx, account, contacts) => endRunsOf(tx, account, contacts, clock.now()),
    beforeForgetting: lockMessagesOf,
    forget: (tx, account, contacts) => eraseContacts(tx, account, contacts, { clock, masterKeys }),
  }
}

/** Opens the interface of Google for RCS profiles, so many requests at once; the tokens of their service accounts are kept. */
function googleOf({ clock, config }: Pick<Context, 'clock' | 'config'>, concurrency: number) {
  const tokens = createTokenSources()
  return ({ agent, settings: stored }: Pick<StoredProfile, 'agent' | 'settings'>, credentials: ServiceAccount) => {
    const settings = readSettings(RcsGoogleSettings, { agent, ...stored, concurrency })
    const secrets = { credentials: JSON.stringify(credentials) }
    return openApi({ settings, secrets }, { clock, reach: reachOf(config.outgoingAllow), tokens })
  }
}

/** Asks Google about phones for RCS profiles. */
export function capabilityPort(context: Pick<Context, 'clock' | 'config'>): AskCapability {
  const open = googleOf(context, 1)
  return async (profile, credentials, phone) => {
    const api = open(profile, credentials)
    try {
      return await askCapabilities(api, profile.agent, phone)
    } finally {
      api.transport.close()
    }
  }
}

/** Opens what takes back messages of RCS profiles at Google. */
function revokerPort(context: Pick<Context, 'clock' | 'config'>): OpenRevoker {
  const open = googleOf(context, 10)
  return (profile, credentials) => {
    const api = open(profile, credentials)
    return {
      async revoke({ agent: from, phone, stamp }) {
        const { result } = await revokeMessage(api, from, { to: phone, messageId: stamp }, context.clock.now())
        return result === 'unknown' ? result : 'dealt with'
      },
      close: () => api.transport.close(),
    }
  }
}

/** Who does what follows the ends of messages, by kind: rooms to the right of the outbox. */
export function followupHandlers(context: Context): FollowupHandlers {
  const { clock, masterKeys, log } = context
  return rcsFollowupHandlers({ clock, masterKeys, log, open: revokerPort(context) })
}

/** The same handlers, of which each row fails alone: one that fails with others is tried by itself. */
export function followAlone(handlers: FollowupHandlers): FollowupHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, handle]) => [
      kind,
      (db, due) =>
        togetherOrAlone(db, 'follow up messages', due, {
          subjectOf: ({ stamp }) => `${kind} of ${stamp}`,
          work: (some) => handle(db, some),
        }),
    ]),
  )
}

/** What marketing pressure needs of messages that wait in the outbox. */
export const pressurePorts: PressurePorts = {
  askAgain: askPostponedAgain,
  waitingOf: async (db, account, contact) =>
    (await postponedTo(db, account, contact)).map((message) => {
      const { rule, expression } = message.postponement
      return { rule, expression, shown: showPostponed(message) }
    }),
}

/** What the overview is told by others. */
export const overviewPorts: OverviewPorts = { approvals: waitingApprovals }
