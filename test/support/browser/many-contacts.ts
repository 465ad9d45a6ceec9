import { sql } from 'kysely'
import type { Stage } from '../stages/stage.ts'

/** Gives the own account contacts `person1@many.example` to `person{count}@many.example`, newest last, by one statement. */
export async function fillContacts({ call, context, own }: Stage, count: number): Promise<void> {
  const { body } = await call('GET', '/fields')
  const { id } = body.find(({ name }: { name: string }) => name === 'Email')
  await sql`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${own.account}, jsonb_build_object(${String(id)}::text, mail), mail, mail, decode(md5(mail), 'hex'), at, at
    from (
      select 'person' || n || '@many.example' as mail, now() - make_interval(secs => ${count} - n) as at
      from generate_series(1, ${count}::integer) n) people`.execute(context.db)
  await sql`vacuum analyze contacts`.execute(context.db)
}
