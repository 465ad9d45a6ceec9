import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId, Right } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import { reachOf } from '../../lib/net/guarded-client.ts'
import { type AskCapability, lookUpPhone } from './lookup.ts'
import {
  createProfile,
  deleteProfile,
  listProfiles,
  loadProfile,
  lockProfile,
  type ProfileDependencies,
  renewWebhook,
  type StoredProfile,
  updateProfile,
} from './profiles.ts'
import { shownProvider } from './provider.ts'
import { PhoneCapability, PhoneQuery, ProfileQuery, RcsProfile, RcsProfileBody } from './rcs-profile-schemas.ts'
import { type ProfileKey, webhookOf } from './webhook-tokens.ts'

const tags = ['rcs profiles']
const PATH = '/channel/rcs/profiles'
const Params = Type.Object({ id: Type.String() })

function keyOf({ account, params }: { account: AccountId; params: { id: string } }): ProfileKey {
  const id = readIntId(params.id)
  if (id === undefined) throw notFound('RCS profile', params.id)
  return { account, id }
}

/** Shows profiles to whoever has these rights: the webhook address is for administrators. */
function shower({ masterKeys, config }: Context) {
  return (profile: StoredProfile, rights: readonly Right[] | null): RcsProfile => {
    const { id, name, description, agent, active, country, speed, capability, fallback, createdAt, updatedAt } = profile
    return {
      ...{ id, name, description, agent, active, country, speed, capability, fallback },
      provider: shownProvider(profile),
      webhook: rights?.includes('admin') ? webhookOf(masterKeys, profile, config.publicUrl) : null,
      stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    }
  }
}

function resourceRoutes(app: App, context: Context, dependencies: () => ProfileDependencies): void {
  const show = shower(context)
  const admin: readonly Right[] = ['admin']
  registerResource<number, RcsProfileBody, RcsProfile>(app, context.db, {
    path: PATH,
    tag: tags[0]!,
    name: 'RCS profile',
    readId: readIntId,
    schema: { shown: RcsProfile, body: RcsProfileBody, query: ProfileQuery },
    rights: { read: 'read', write: 'admin' },
    async *list(db, account, page, { query, rights }) {
      const { active } = query as { active?: boolean }
      for (const profile of await listProfiles(db, account, { ...page, active })) yield show(profile, rights)
    },
    create: async (db, account, body) => show(await createProfile(db, account, body, dependencies()), admin),
    read: async (db, account, id, { rights }) => show(await loadProfile(db, account, id), rights),
    update: async (db, account, id, body) =>
      show(await updateProfile(db, { account, id }, body, dependencies()), admin),
    remove: (db, account, id) => deleteProfile(db, { account, id }),
    lock: lockProfile,
  })
  app.post(`${PATH}/:id/token`, {
    config: { right: 'admin', audit: { object: 'rcs-profile' } },
    schema: {
      tags,
      summary: 'give an RCS profile a new webhook address',
      description: 'The one before works 8 days more.',
      params: Params,
      response: { 200: RcsProfile },
    },
    handler: async (request) => {
      const key = keyOf(request)
      const look = lookOf(
        async (tx) => show(await loadProfile(tx, key.account, key.id), admin),
        (tx) => lockProfile(tx, key.account, key.id),
      )
      return show(await renewWebhook(told(request, context.db, look), key, dependencies()), admin)
    },
  })
}

/** The agents that an account sends RCS messages with; `ask` asks their provider about a phone. */
export function rcsProfileRoutes(app: App, context: Context, ask: AskCapability): void {
  const { db, clock, config, masterKeys } = context
  const now = () => new Date(clock.now())
  resourceRoutes(app, context, () => ({ masterKeys, reach: reachOf(config.outgoingAllow), now: now() }))
  app.get(`${PATH}/:id/capabilities`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'ask the provider what a phone can take',
      params: Params,
      querystring: PhoneQuery,
      response: { 200: PhoneCapability },
    },
    handler: async (request) => {
      const { account, id } = keyOf(request)
      const profile = await loadProfile(db, account, id)
      return lookUpPhone(db, profile, request.query.phone, { masterKeys, ask, now })
    },
  })
}
