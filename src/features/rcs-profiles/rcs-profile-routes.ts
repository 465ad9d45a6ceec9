import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccessRight, AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { lookUpPhoneCapability, type PhoneCapabilityLookup } from './lookup.ts'
import {
  createRcsProfile,
  deleteRcsProfile,
  listRcsProfiles,
  loadRcsProfile,
  lockRcsProfile,
  type RcsProfileDependencies,
  renewRcsWebhook,
  type StoredRcsProfile,
  updateRcsProfile,
} from './profiles.ts'
import { toRcsProviderResource } from './provider.ts'
import {
  PhoneCapability,
  PhoneCapabilityQuery,
  RcsProfileBody,
  RcsProfileQuery,
  RcsProfileResource,
} from './rcs-profile-schemas.ts'
import { buildRcsWebhookUrl, type RcsProfileKey } from './webhook-tokens.ts'

const profileRefusals = { 409: 'name-taken profile-in-use profile-without-credentials' }
const tags = ['rcs profiles']
const PROFILES_PATH = '/channel/rcs/profiles'
const ProfileParams = Type.Object({ id: Type.String() })

function parseProfileKey({ account, params }: { account: AccountId; params: { id: string } }): RcsProfileKey {
  const id = parseInt32Id(params.id)
  if (id === undefined) throw notFoundProblem('RCS profile', params.id)
  return { account, id }
}

/** Shows profiles to whoever has these rights: the webhook address is for administrators. */
function createProfileFormatter({ masterKeys, config }: ServiceContext) {
  return (profile: StoredRcsProfile, rights: readonly AccessRight[] | null): RcsProfileResource => {
    const { id, name, description, agent, active, country, speed, capability, fallback, createdAt, updatedAt } = profile
    return {
      id,
      name,
      description,
      agent,
      active,
      country,
      speed,
      capability,
      fallback,
      provider: toRcsProviderResource(profile),
      webhook: rights?.includes('admin') ? buildRcsWebhookUrl(masterKeys, profile, config.publicUrl) : null,
      stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    }
  }
}

/** Texts and refusals of the operations of the resource. */
const profileOperations = {
  list: {
    summary: 'List the RCS profiles',
    description: 'Returns the RCS profiles of the account in ascending order of ID; secrets are null.',
    refusals: profileRefusals,
  },
  create: {
    summary: 'Create an RCS profile',
    description:
      'Creates an RCS profile with a webhook address and returns it; `name`, `agent` and `provider` are required. ' +
      'Register the address at RCS Business Messaging to receive delivery reports and replies.',
    refusals: profileRefusals,
  },
  read: {
    summary: 'Get an RCS profile',
    description: 'Returns an RCS profile; secrets are null.',
    refusals: profileRefusals,
  },
  update: {
    summary: 'Update an RCS profile',
    description:
      'Changes the members given and returns the profile. Absent or null secrets are kept while the provider type ' +
      'stays the same. A new agent or provider discards the known capabilities of phones.',
    refusals: profileRefusals,
  },
  remove: {
    summary: 'Delete an RCS profile',
    description: 'Deletes an RCS profile with its webhook addresses. The answer is 409 while a campaign uses it.',
    refusals: profileRefusals,
  },
}

function registerResourceRoutes(
  app: HttpApp,
  context: ServiceContext,
  dependencies: () => RcsProfileDependencies,
): void {
  const formatProfile = createProfileFormatter(context)
  const adminRights: readonly AccessRight[] = ['admin']
  registerResource<number, RcsProfileBody, RcsProfileResource, StoredRcsProfile>(app, context.db, {
    path: PROFILES_PATH,
    tag: tags[0]!,
    name: 'RCS profile',
    readId: parseInt32Id,
    schema: { shown: RcsProfileResource, body: RcsProfileBody, query: RcsProfileQuery },
    operations: profileOperations,
    rights: { read: 'read', write: 'admin' },
    async *list(db, account, page, { query, rights }) {
      const { active } = query as { active?: boolean }
      for (const profile of await listRcsProfiles(db, account, { ...page, active }))
        yield formatProfile(profile, rights)
    },
    create: async (db, account, body) =>
      formatProfile(await createRcsProfile(db, account, body, dependencies()), adminRights),
    read: async (db, account, id, { rights }) => formatProfile(await loadRcsProfile(db, account, id), rights),
    update: (tx, profile, body) => updateRcsProfile(tx, profile, body, dependencies()),
    remove: deleteRcsProfile,
    lock: lockRcsProfile,
    show: (profile, { rights }) => formatProfile(profile, rights),
  })
  app.post(`${PROFILES_PATH}/:id/token`, {
    config: { right: 'admin', audit: { object: 'rcs-profile' } },
    schema: {
      tags,
      summary: 'Renew the webhook address of an RCS profile',
      refusals: profileRefusals,
      description:
        'Generates a new webhook address and returns the profile with it. The previous address works for 8 ' +
        'more days.',
      params: ProfileParams,
      response: { 200: RcsProfileResource },
    },
    handler: async (request) => {
      const key = parseProfileKey(request)
      const snapshot = createAuditSnapshot(
        async (tx) => formatProfile(await loadRcsProfile(tx, key.account, key.id), adminRights),
        (tx) => lockRcsProfile(tx, key.account, key.id),
      )
      return formatProfile(
        await renewRcsWebhook(createAuditedDb(request, context.db, snapshot), key, dependencies()),
        adminRights,
      )
    },
  })
}

/** The agents that an account sends RCS messages with; `ask` asks their provider about a phone. */
export function rcsProfileRoutes(app: HttpApp, context: ServiceContext, ask: PhoneCapabilityLookup): void {
  const { db, clock, config, masterKeys } = context
  const now = () => new Date(clock.now())
  registerResourceRoutes(app, context, () => ({
    masterKeys,
    reach: createOutboundPolicy(config.outgoingAllow),
    now: now(),
  }))
  app.get(`${PROFILES_PATH}/:id/capabilities`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'Check the RCS capabilities of a phone',
      description:
        'Asks the provider of the profile about a phone number and returns the answer, which is also kept ' +
        'for later messages. If the provider does not answer, the response is 503; without credentials, ' +
        '409.',
      refusals: { ...profileRefusals, 503: 'provider-unavailable' },
      params: ProfileParams,
      querystring: PhoneCapabilityQuery,
      response: { 200: PhoneCapability },
    },
    handler: async (request) => {
      const { account, id } = parseProfileKey(request)
      const profile = await loadRcsProfile(db, account, id)
      return lookUpPhoneCapability(db, profile, request.query.phone, { masterKeys, ask, now })
    },
  })
}
