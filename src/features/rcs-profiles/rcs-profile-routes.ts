import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit.ts'
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

const tags = ['rcs profiles']
const PATH = '/channel/rcs/profiles'
const Params = Type.Object({ id: Type.String() })

function keyOf({ account, params }: { account: AccountId; params: { id: string } }): RcsProfileKey {
  const id = parseInt32Id(params.id)
  if (id === undefined) throw notFoundProblem('RCS profile', params.id)
  return { account, id }
}

/** Shows profiles to whoever has these rights: the webhook address is for administrators. */
function shower({ masterKeys, config }: ServiceContext) {
  return (profile: StoredRcsProfile, rights: readonly AccessRight[] | null): RcsProfileResource => {
    const { id, name, description, agent, active, country, speed, capability, fallback, createdAt, updatedAt } = profile
    return {
      ...{ id, name, description, agent, active, country, speed, capability, fallback },
      provider: toRcsProviderResource(profile),
      webhook: rights?.includes('admin') ? buildRcsWebhookUrl(masterKeys, profile, config.publicUrl) : null,
      stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    }
  }
}

function resourceRoutes(app: HttpApp, context: ServiceContext, dependencies: () => RcsProfileDependencies): void {
  const show = shower(context)
  const admin: readonly AccessRight[] = ['admin']
  registerResource<number, RcsProfileBody, RcsProfileResource>(app, context.db, {
    path: PATH,
    tag: tags[0]!,
    name: 'RCS profile',
    readId: parseInt32Id,
    schema: { shown: RcsProfileResource, body: RcsProfileBody, query: RcsProfileQuery },
    rights: { read: 'read', write: 'admin' },
    async *list(db, account, page, { query, rights }) {
      const { active } = query as { active?: boolean }
      for (const profile of await listRcsProfiles(db, account, { ...page, active })) yield show(profile, rights)
    },
    create: async (db, account, body) => show(await createRcsProfile(db, account, body, dependencies()), admin),
    read: async (db, account, id, { rights }) => show(await loadRcsProfile(db, account, id), rights),
    update: async (db, account, id, body) =>
      show(await updateRcsProfile(db, { account, id }, body, dependencies()), admin),
    remove: (db, account, id) => deleteRcsProfile(db, { account, id }),
    lock: lockRcsProfile,
  })
  app.post(`${PATH}/:id/token`, {
    config: { right: 'admin', audit: { object: 'rcs-profile' } },
    schema: {
      tags,
      summary: 'give an RCS profile a new webhook address',
      description: 'The one before works 8 days more.',
      params: Params,
      response: { 200: RcsProfileResource },
    },
    handler: async (request) => {
      const key = keyOf(request)
      const look = createAuditSnapshot(
        async (tx) => show(await loadRcsProfile(tx, key.account, key.id), admin),
        (tx) => lockRcsProfile(tx, key.account, key.id),
      )
      return show(await renewRcsWebhook(createAuditedDb(request, context.db, look), key, dependencies()), admin)
    },
  })
}

/** The agents that an account sends RCS messages with; `ask` asks their provider about a phone. */
export function rcsProfileRoutes(app: HttpApp, context: ServiceContext, ask: PhoneCapabilityLookup): void {
  const { db, clock, config, masterKeys } = context
  const now = () => new Date(clock.now())
  resourceRoutes(app, context, () => ({ masterKeys, reach: createOutboundPolicy(config.outgoingAllow), now: now() }))
  app.get(`${PATH}/:id/capabilities`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'ask the provider what a phone can take',
      params: Params,
      querystring: PhoneCapabilityQuery,
      response: { 200: PhoneCapability },
    },
    handler: async (request) => {
      const { account, id } = keyOf(request)
      const profile = await loadRcsProfile(db, account, id)
      return lookUpPhoneCapability(db, profile, request.query.phone, { masterKeys, ask, now })
    },
  })
}
