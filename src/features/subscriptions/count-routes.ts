import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import type { AccountId } from '../../lib/account.ts'
import { pushProviderTypes } from './subscription-schemas.ts'

const SubscriptionCounts = Type.Object({
  application: Type.String({ format: 'uuid', description: 'ID of the application.' }),
  subscriptions: Type.Integer({ description: 'Number of subscriptions.' }),
  live: Type.Integer({
    description:
      'Number of subscriptions that can receive messages: the application is active and has a provider ' +
      'of the type, and the device has not muted all messages.',
  }),
  contacts: Type.Integer({ description: 'Number of different contacts that have a subscription.' }),
  anonymous: Type.Integer({ description: 'Number of subscriptions without a contact.' }),
  muted: Type.Integer({ description: 'Number of subscriptions whose device has muted all messages.' }),
  latest: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Time of the latest registration, in UTC.',
  }),
  providers: Type.Array(
    Type.Object({
      type: Type.Enum([...pushProviderTypes], { description: 'Type of the provider.' }),
      count: Type.Integer({ description: 'Number of subscriptions of this provider.' }),
    }),
    {
      description: 'Number of subscriptions by provider type, the largest first.',
    },
  ),
})
type SubscriptionCounts = Static<typeof SubscriptionCounts>

/** The subscriptions of every application of an account that has any, counted now. */
async function countByApplication(db: Db, account: AccountId): Promise<SubscriptionCounts[]> {
  const { rows } = await sql<SubscriptionCounts>`
    with counted as (
      select s.application, s.provider as type, count(*)::integer as count,
        count(*) filter (where a.active and p.type is not null and not s.muted)::integer as live,
        count(*) filter (where s.contact is null)::integer as anonymous,
        count(*) filter (where s.muted)::integer as muted, max(s.created_at) as latest
      from subscriptions s join applications a on a.account = s.account and a.id = s.application
      left join application_providers p on p.application = s.application and p.type = s.provider
      where s.account = ${account} group by 1, 2
    ), owners as (
      select application, count(distinct contact)::integer as contacts from subscriptions
      where account = ${account} group by 1
    )
    select application, sum(count)::integer as subscriptions, sum(live)::integer as live, o.contacts,
      sum(anonymous)::integer as anonymous, sum(muted)::integer as muted,
      to_char(max(latest) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as latest,
      jsonb_agg(jsonb_build_object('type', type, 'count', count) order by count desc, type) as providers
    from counted join owners o using (application) group by application, o.contacts order by application`.execute(db)
  return rows
}

/** Routes for the number of devices that use the applications of an account. */
export function subscriptionCountRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/parameters/applications/subscriptions', {
    config: { right: 'read' },
    schema: {
      tags: ['applications'],
      summary: 'Count the subscriptions of all applications',
      description: 'Returns current counts for each application that has subscriptions, in total and by provider.',
      operationId: 'countApplicationSubscriptions',
      refusals: { 410: 'gone' },
      response: { 200: Type.Array(SubscriptionCounts) },
    },
    handler: ({ account }) => countByApplication(db, account),
  })
}
