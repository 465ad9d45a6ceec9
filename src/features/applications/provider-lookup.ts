import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { PushProviderType } from './application-schemas.ts'
import type { ApplicationKey } from './applications.ts'
import type { StoredPushProvider } from './providers.ts'

/** A provider as pushes are sent with it. */
export type FoundPushProvider<Type extends PushProviderType = PushProviderType> = Extract<
  StoredPushProvider,
  { type: Type }
>

/** The provider of a type that an application has; undefined without. */
export async function findPushProvider<Type extends PushProviderType>(
  db: Db,
  { account, id }: ApplicationKey,
  type: Type,
): Promise<FoundPushProvider<Type> | undefined> {
  const { rows } = await sql<FoundPushProvider<Type>>`
    select p.type, p.settings, p.secret, p.fingerprint, p.expires_at as "expiresAt", r.rested_at as "restedAt",
      d.rests as "refusedRests", d.rests_until as "refusedUntil"
    from application_providers p left join push_rests r on r.application = p.application and r.provider = p.type
    left join push_refusals d on d.application = p.application and d.provider = p.type
    where p.account = ${account} and p.application = ${id} and p.type = ${type}`.execute(db)
  return rows[0]
}
